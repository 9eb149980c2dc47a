import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FRESH_MS, REUSABLE_MS } from '#ui/navigation/limits.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The loader itself, the reporter, which must not depend on it, and the public form, which sends to ingest and asks for no data. */
const OWN_FETCH = [
  'src/ui/navigation/',
  'src/app/error-reporting/',
  'src/app/live/live-state.ts',
  'src/app/share/feedback/[token]/feedback-form.tsx',
];
/** What readers are to write into their own programs. */
const SNIPPETS = [
  'src/app/[org]/monitors/crons/[monitor]/cron-snippets.ts',
  'src/app/[org]/projects/sdk-snippets/',
  'src/app/[org]/settings/projects/[project]/source-maps/how-to/upload-snippets.ts',
];
const isSnippet = (file: string): boolean => SNIPPETS.some((place) => file.startsWith(place));
const FETCH = /(?<![.\w])fetch\(/;

const listSources = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
  );
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

test('pages ask for data through the one loader', () => {
  const sources = listSources('src/app', 'src/ui');
  expect(sources.length).toBeGreaterThan(100);
  const others = sources.filter(
    (file) =>
      !OWN_FETCH.some((folder) => file.startsWith(folder)) && !isSnippet(file) && FETCH.test(read(file)),
  );
  expect(others).toEqual([]);
});

test('only pages and actions report errors of the app: a report from ingest or a store would come back to it', () => {
  // Snippets for readers are indented text.
  const users = listSources('src').filter((file) => !isSnippet(file) && /from '@sentry\//.test(read(file)));
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter((file) => !file.startsWith('src/app/error-reporting/'))).toEqual([]);
});

test('the framework keeps pages as long as the navigation counts on', () => {
  const [, dynamic, fixed] =
    /staleTimes: \{ dynamic: (\d+), static: (\d+) \}/.exec(read('next.config.mjs')) ?? [];
  expect([Number(dynamic), Number(fixed)]).toEqual([REUSABLE_MS / 1000, REUSABLE_MS / 1000]);
  expect(FRESH_MS).toBeLessThan(REUSABLE_MS);
});
