import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { STORED_TYPES } from '#pipeline/digest-envelope.ts';
import { MONITOR_FAILURE_ITEM } from '#pipeline/monitor-failures/digest-monitor-failure.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const GUIDES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** Not sent as items of an envelope by these names. */
const OF_OTHER_ROUTES = ['otlp_traces', 'otlp_logs', 'otlp_metrics', MONITOR_FAILURE_ITEM];
/** Decision records describe the past: only their links have to work. */
const RECORDS = readdirSync(path.join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
/** Paths in this repository start with one of these, relative to the root or to src. */
const TOP_LEVEL = [
  '.github',
  'bin',
  'deploy',
  'docs',
  'src',
  'test',
  ...readdirSync(path.join(ROOT, 'src')),
].filter((name) => !name.includes('.') || name === '.github');
const SOURCE_FILES = new Set(
  ['src', 'test', 'bin'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name),
  ),
);

test('every item type that is stored is described', () => {
  const text = ['telemetry', 'sdks']
    .map((name) => readFileSync(path.join(ROOT, `docs/${name}.md`), 'utf8'))
    .join();
  const sent = STORED_TYPES.filter((type) => !OF_OTHER_ROUTES.includes(type));
  expect(sent.filter((type) => !text.includes(`\`${type}\``))).toEqual([]);
});

describe.each([...GUIDES, ...RECORDS])('%s', (file) => {
  test('every link resolves to a file and a heading', () => {
    expect(linksOf(proseOf(file)).filter((target) => !resolves(file, target))).toEqual([]);
  });

  test('no mark of an unfinished merge is left, nor twice the same heading in one version', () => {
    const lines = proseOf(file).split('\n');
    // Formatters turn the marks into lists and quotations.
    expect(lines.filter((line) => /^\s*(<{7}|(> ?){7}|={7})(\s|$)/.test(line))).toEqual([]);
    const headings = lines.filter((line) => line.startsWith('## ') || line.startsWith('### '));
    const places = headings.map((line, index) =>
      line.startsWith('## ')
        ? line
        : `${headings.slice(0, index).findLast((each) => each.startsWith('## '))} ${line}`,
    );
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });
});

describe.each(GUIDES.filter((file) => file !== 'CHANGELOG.md'))('%s', (file) => {
  test('every path it mentions exists', () => {
    expect(codeOf(proseOf(file)).filter((code) => isPath(code) && !existsInTree(code))).toEqual([]);
  });

  test('every source file it mentions exists', () => {
    const named = codeOf(proseOf(file)).filter((code) => /^[\w-]+(\.test)?\.(tsx?|mjs)$/.test(code));
    expect(named.filter((name) => !SOURCE_FILES.has(name))).toEqual([]);
  });
});

const proseOf = (file: string) => withoutCodeBlocks(readFileSync(path.join(ROOT, file), 'utf8'));

function withoutCodeBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^(https?:|mailto:)/.test(target));
}

function resolves(file: string, target: string): boolean {
  const [name = '', heading] = decodeURI(target).split('#');
  const found = name === '' ? path.join(ROOT, file) : path.resolve(ROOT, path.dirname(file), name);
  if (!existsSync(found)) return false;
  return heading === undefined || headingsOf(readFileSync(found, 'utf8')).includes(heading);
}

/** The anchor that GitHub gives a heading. */
function headingsOf(text: string): string[] {
  return [...withoutCodeBlocks(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function codeOf(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}

function isPath(code: string): boolean {
  return /^[\w.()[\]{},*/-]+$/.test(code) && TOP_LEVEL.some((name) => code.startsWith(`${name}/`));
}

/** Relative to the root or to src; a file or a folder, with `{a,b}` and `*`, with or without an extension. */
function existsInTree(code: string): boolean {
  return expandBraces(code.replace(/\/$/, '')).every((name) =>
    ['', 'src/'].some((start) => {
      const full = path.join(ROOT, start, name);
      if (name.includes('*')) return globSync(full).length > 0;
      return ['', '.ts', '.tsx', '.mjs'].some((extension) => existsSync(full + extension));
    }),
  );
}

function expandBraces(name: string): string[] {
  const braces = /\{([^}]*)\}/.exec(name);
  if (!braces) return [name];
  return braces[1]!.split(',').flatMap((choice) => expandBraces(name.replace(braces[0], choice)));
}
