import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const SRC = path.join(ROOT, 'src');

/** What each layer may import besides itself; `main` may import everything. */
const ALLOWED: Readonly<Record<Layer, readonly Layer[] | 'everything'>> = {
  main: 'everything',
  config: ['protocol', 'lib'],
  app: ['product', 'mcp', 'ui', 'lib', 'protocol', 'storage/ports'],
  cli: ['product', 'protocol', 'lib', 'storage/ports', 'config'],
  mcp: ['product', 'protocol', 'lib', 'storage/ports'],
  ingest: ['product', 'pipeline', 'protocol', 'storage/ports', 'lib'],
  jobs: ['product', 'lib'],
  product: ['storage/ports', 'delivery/ports', 'pipeline', 'protocol', 'lib'],
  pipeline: ['protocol', 'lib'],
  adapter: ['storage/ports', 'protocol', 'lib'],
  'delivery adapter': ['delivery/ports', 'lib'],
  'storage/ports': ['protocol', 'lib'],
  'delivery/ports': ['lib'],
  protocol: ['lib'],
  ui: ['lib'],
  lib: [],
};

type Layer =
  | 'main'
  | 'config'
  | 'app'
  | 'cli'
  | 'mcp'
  | 'ingest'
  | 'jobs'
  | 'product'
  | 'pipeline'
  | 'adapter'
  | 'delivery adapter'
  | 'storage/ports'
  | 'delivery/ports'
  | 'protocol'
  | 'ui'
  | 'lib';

type Import = {
  /** Relative to src, with slashes. */
  from: string;
  /** As written. */
  specifier: string;
  /** Relative to src; null for a package or a part of Node. */
  to: string | null;
  isTypeOnly: boolean;
  /** What is imported by name; empty for everything else. */
  names: readonly string[];
};

const files = listSources(SRC);
const imports = files.flatMap(readImports);
const internal = imports.filter((entry): entry is Import & { to: string } => entry.to !== null);

describe('the layers', () => {
  test('every source file belongs to a layer', () => {
    expect(files.filter((file) => layerOf(file) === null)).toEqual([]);
  });

  test('every import of ours names a file that exists, with its extension', () => {
    const missing = internal.filter((entry) => !existsSync(path.join(SRC, entry.to)));
    expect(missing.map(describeImport)).toEqual([]);
  });

  test('imports follow the table', () => {
    expect(internal.filter((entry) => !isAllowed(entry)).map(describeImport)).toEqual([]);
  });

  test('only the composition root names an adapter', () => {
    const offenders = internal.filter(
      (entry) =>
        isAdapter(entry.to) && layerOf(entry.from) !== layerOf(entry.to) && layerOf(entry.from) !== 'main',
    );
    expect(offenders.map(describeImport)).toEqual([]);
  });

  test('one adapter does not import another', () => {
    const offenders = internal.filter(
      (entry) =>
        isAdapter(entry.to) && isAdapter(entry.from) && adapterOf(entry.to) !== adapterOf(entry.from),
    );
    expect(offenders.map(describeImport)).toEqual([]);
  });

  test('app and ingest never meet, not even over other files', () => {
    const roots = files.filter((file) => ['app', 'ingest'].includes(layerOf(file) ?? ''));
    const meetings = roots.flatMap((file) => {
      const foreign = layerOf(file) === 'app' ? 'ingest' : 'app';
      return reach(file)
        .filter((chain) => layerOf(chain.at(-1) ?? '') === foreign)
        .map((chain) => chain.join(' → '));
    });
    expect(meetings).toEqual([]);
  });

  test('the pipeline and the protocol do no input or output', () => {
    const io =
      /^(node:)?(fs|net|http|https|http2|dns|tls|dgram|child_process|worker_threads|cluster)(\/|$)|^(pg|kysely|lmdb|@clickhouse\/client|next)(\/|$)/;
    const offenders = imports.filter(
      (entry) =>
        ['pipeline', 'protocol'].includes(layerOf(entry.from) ?? '') &&
        !entry.from.endsWith('.test.ts') &&
        entry.to === null &&
        io.test(entry.specifier) &&
        !isPureImport(entry),
    );
    expect(offenders.map(describeImport)).toEqual([]);
  });
});

describe('the shape of the source', () => {
  test('no cycle of imports', () => {
    expect(findCycles().map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  test('no barrels', () => {
    expect(files.filter(isBarrel)).toEqual([]);
  });

  test('no folder or file for leftovers', () => {
    const leftovers = files.filter((file) =>
      /(^|\/)(utils?|helpers?|misc|common)(\/|(\.test)?\.tsx?$)/.test(file),
    );
    expect(leftovers).toEqual([]);
  });

  test('JSX stays in app and ui', () => {
    expect(
      files.filter((file) => file.endsWith('.tsx') && !['app', 'ui'].includes(layerOf(file) ?? '')),
    ).toEqual([]);
  });
});

function layerOf(file: string): Layer | null {
  if (file === 'main.ts' || file.startsWith('main/')) return 'main';
  if (/^config(\.test)?\.ts$/.test(file)) return 'config';
  // The framework finds these two kinds by their place beside `app`.
  if (/^(instrumentation|instrumentation-client|proxy)\.ts$/.test(file)) return 'app';
  if (file.startsWith('storage/')) return file.startsWith('storage/ports/') ? 'storage/ports' : 'adapter';
  if (file.startsWith('delivery/')) {
    return file.startsWith('delivery/ports/') ? 'delivery/ports' : 'delivery adapter';
  }
  const folder = file.split('/')[0] ?? '';
  return folder in ALLOWED && file.includes('/') ? (folder as Layer) : null;
}

function isAdapter(file: string): boolean {
  return layerOf(file) === 'adapter' || layerOf(file) === 'delivery adapter';
}

function adapterOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function isAllowed(entry: Import & { to: string }): boolean {
  const from = layerOf(entry.from);
  const to = layerOf(entry.to);
  if (from === null || to === null) return false;
  if (from === to) return true;
  const allowed = ALLOWED[from];
  return allowed === 'everything' || allowed.includes(to);
}

/** Telling an address from a name needs no network, though Node keeps it there. */
function isPureImport(entry: Import): boolean {
  return entry.names.length > 0 && entry.names.every((name) => /^isIP(v4|v6)?$/.test(name));
}

function describeImport(entry: Import): string {
  return `src/${entry.from} → ${entry.specifier}`;
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => path.relative(SRC, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}

function parse(file: string) {
  const result = parseSync(file, readFileSync(path.join(SRC, file), 'utf8'));
  if (result.errors.length > 0) throw new Error(`src/${file} does not parse: ${result.errors[0]?.message}`);
  return result;
}

function readImports(file: string): Import[] {
  const { module, program } = parse(file);
  const found: Pick<Import, 'specifier' | 'isTypeOnly' | 'names'>[] = [];
  for (const statement of module.staticImports) {
    const isTypeOnly = statement.entries.length > 0 && statement.entries.every((entry) => entry.isType);
    const names = statement.entries.map((entry) => entry.importName.name ?? '');
    found.push({ specifier: statement.moduleRequest.value, isTypeOnly, names });
  }
  for (const entry of module.staticExports.flatMap((statement) => statement.entries)) {
    if (entry.moduleRequest)
      found.push({ specifier: entry.moduleRequest.value, isTypeOnly: entry.isType, names: [] });
  }
  for (const { type, source } of findNestedImports(program)) {
    found.push({ specifier: source, isTypeOnly: type === 'TSImportType', names: [] });
  }
  return found.map((entry) => ({ ...entry, from: file, to: resolveImport(file, entry.specifier) }));
}

/** `import('…')`, as an expression and as a type. */
function findNestedImports(node: unknown): { type: string; source: string }[] {
  if (Array.isArray(node)) return node.flatMap(findNestedImports);
  if (typeof node !== 'object' || node === null) return [];
  const { type, source } = node as { type?: unknown; source?: { value?: unknown } };
  const own =
    (type === 'ImportExpression' || type === 'TSImportType') && typeof source?.value === 'string'
      ? [{ type, source: source.value }]
      : [];
  return [...own, ...Object.values(node).flatMap(findNestedImports)];
}

function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return null;
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier));
}

/** A file with nothing of its own: every statement hands on what other files export. */
function isBarrel(file: string): boolean {
  const { body } = parse(file).program;
  const handsOn = body.filter(
    (statement) =>
      statement.type === 'ExportAllDeclaration' ||
      (statement.type === 'ExportNamedDeclaration' && statement.source !== null),
  );
  return (
    handsOn.length > 0 && handsOn.length === body.filter((one) => one.type !== 'ImportDeclaration').length
  );
}

function edges(): Map<string, string[]> {
  const map = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const entry of internal) {
    // Types are gone at run time, and a stylesheet imports nothing.
    if (!entry.isTypeOnly && map.has(entry.to)) map.get(entry.from)?.push(entry.to);
  }
  return map;
}

function findCycles(): string[][] {
  const graph = edges();
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      cycles.push([...trail.slice(start), file]);
      return;
    }
    if (finished.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    finished.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
}

/** The shortest chain of imports to every file that can be reached. */
function reach(file: string): string[][] {
  const graph = edges();
  const seen = new Set([file]);
  const queue = [[file]];
  const chains: string[][] = [];
  for (let chain = queue.shift(); chain; chain = queue.shift()) {
    for (const next of graph.get(chain.at(-1) ?? '') ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      chains.push([...chain, next]);
      queue.push([...chain, next]);
    }
  }
  return chains;
}
