import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFileKnots, findFolderKnots } from './source-tree/find-knots.ts';
import {
  type Import,
  type InternalImport,
  isInternal,
  isTest,
  listSources,
  parseSource,
  readImports,
  readSource,
  SRC,
} from './source-tree/read-source-tree.ts';

/** What each layer may import besides itself; `main` may import everything. */
const ALLOWED: Readonly<Record<Layer, readonly Layer[] | 'everything'>> = {
  main: 'everything',
  config: ['protocol', 'lib'],
  app: ['product', 'domain', 'mcp', 'ui', 'lib', 'protocol', 'storage/ports'],
  cli: ['product', 'domain', 'protocol', 'lib', 'storage/ports', 'config'],
  mcp: ['product', 'domain', 'protocol', 'lib', 'storage/ports'],
  ingest: ['product', 'pipeline', 'domain', 'protocol', 'storage/ports', 'lib'],
  jobs: ['product', 'lib'],
  product: ['storage/sql', 'storage/ports', 'delivery/ports', 'pipeline', 'domain', 'protocol', 'lib'],
  pipeline: ['protocol', 'lib'],
  adapter: ['storage/sql', 'storage/ports', 'domain', 'protocol', 'lib'],
  'delivery adapter': ['delivery/ports', 'lib'],
  'storage/sql': ['storage/ports', 'domain', 'protocol', 'lib'],
  'storage/ports': ['domain', 'protocol', 'lib'],
  'delivery/ports': ['lib'],
  domain: ['protocol', 'lib'],
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
  | 'storage/sql'
  | 'storage/ports'
  | 'delivery/ports'
  | 'domain'
  | 'protocol'
  | 'ui'
  | 'lib';

const files = listSources();
const imports = files.flatMap(readImports);
const internal = imports.filter(isInternal);
/** Tests may reach across: nobody imports them. */
const shipped = internal.filter((entry) => !isTest(entry.from));

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

  test('only the composition root makes stores: verbs get them in their context', () => {
    const offenders = shipped.filter(
      (entry) =>
        !entry.isTypeOnly && isStore(entry.to) && !isStore(entry.from) && layerOf(entry.from) !== 'main',
    );
    expect(offenders.map(describeImport)).toEqual([]);
  });

  test('SQL is written in stores, and in adapters', () => {
    const offenders = imports.filter(
      (entry) =>
        !entry.isTypeOnly &&
        entry.specifier === 'kysely' &&
        !isTest(entry.from) &&
        !isStore(entry.from) &&
        !['adapter', 'storage/sql'].includes(layerOf(entry.from) ?? ''),
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
    const meetings = ['app', 'ingest'].flatMap((layer) => {
      const foreign = layer === 'app' ? 'ingest' : 'app';
      return reach(files.filter((file) => layerOf(file) === layer))
        .filter((chain) => layerOf(chain.at(-1) ?? '') === foreign)
        .map((chain) => chain.join(' → '));
    });
    expect(meetings).toEqual([]);
  });

  test('the pipeline, the domain and the protocol do no input or output', () => {
    const io =
      /^(node:)?(fs|net|http|https|http2|dns|tls|dgram|child_process|worker_threads|cluster)(\/|$)|^(pg|kysely|lmdb|@clickhouse\/client|next)(\/|$)/;
    const offenders = imports.filter(
      (entry) =>
        ['pipeline', 'domain', 'protocol'].includes(layerOf(entry.from) ?? '') &&
        !entry.from.endsWith('.test.ts') &&
        entry.to === null &&
        io.test(entry.specifier) &&
        !isPureImport(entry),
    );
    expect(offenders.map(describeImport)).toEqual([]);
  });
});

describe('the shape of the source', () => {
  test('no cycle of values: modules load in an order', () => {
    const values = internal.filter((entry) => !entry.isTypeOnly);
    expect(findFileKnots(files, values).map(describeKnot)).toEqual([]);
  });

  test('no cycle of files, types included', () => {
    expect(findFileKnots(files, shipped).map(describeKnot), HOW_TO_UNTIE).toEqual([]);
  });

  test('no cycle of folders, types included', () => {
    expect(findFolderKnots(shipped).map(describeKnot), HOW_TO_UNTIE).toEqual([]);
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

const HOW_TO_UNTIE =
  'new cycle: reverse one of the imports, or move what both sides need into a third module';

function describeKnot(members: readonly string[]): string {
  return members.join(' ↔ ');
}

function layerOf(file: string): Layer | null {
  if (file === 'main.ts' || file.startsWith('main/')) return 'main';
  if (/^config(\.test)?\.ts$/.test(file) || file.startsWith('config/')) return 'config';
  // The framework finds these two kinds by their place beside `app`.
  if (/^(instrumentation|instrumentation-client|proxy)\.ts$/.test(file)) return 'app';
  const shared = /^storage\/(ports|sql)\//.exec(file)?.[1];
  if (shared) return `storage/${shared}` as Layer;
  if (file.startsWith('storage/')) return 'adapter';
  if (file.startsWith('delivery/')) {
    return file.startsWith('delivery/ports/') ? 'delivery/ports' : 'delivery adapter';
  }
  const folder = file.split('/')[0] ?? '';
  return folder in ALLOWED && file.includes('/') ? (folder as Layer) : null;
}

function isAdapter(file: string): boolean {
  return layerOf(file) === 'adapter' || layerOf(file) === 'delivery adapter';
}

/** `product/teams/team-store.ts`, and what lies in a folder `store` of a noun. */
function isStore(file: string): boolean {
  return /^product\/[^/]+\/([^/]+-store\.ts$|store\/)/.test(file);
}

function adapterOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function isAllowed(entry: InternalImport): boolean {
  const from = layerOf(entry.from);
  const to = layerOf(entry.to);
  // A test beside its file may use what other tests use.
  if (isTest(entry.from) && entry.to.startsWith('../test/harness/')) return true;
  if (from === null || to === null) return false;
  if (from === to) return true;
  const allowed = ALLOWED[from];
  return allowed === 'everything' || allowed.includes(to);
}

/** Distinguishing an address from a name needs no network, though Node keeps it there. */
function isPureImport(entry: Import): boolean {
  return entry.names.length > 0 && entry.names.every((name) => /^isIP(v4|v6)?$/.test(name));
}

function describeImport(entry: Import): string {
  return `src/${entry.from} → ${entry.specifier}`;
}

/** A file with nothing of its own: every statement hands on what other files export. */
function isBarrel(file: string): boolean {
  if (!/^export\b[^;]*\bfrom\b/m.test(readSource(file))) return false;
  const { body } = parseSource(file).program;
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

/** The shortest chain of imports from any of the files to every other one that can be reached. */
function reach(roots: readonly string[]): string[][] {
  const graph = edges();
  const seen = new Set(roots);
  const queue = roots.map((root) => [root]);
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
