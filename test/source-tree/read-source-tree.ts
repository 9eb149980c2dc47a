// The source tree as the static tests and `npm run size` see it: every file below `src` and what it imports.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const SRC = path.join(ROOT, 'src');

export type Import = {
  /** Relative to src, with slashes. */
  from: string;
  /** As written. */
  specifier: string;
  /** Relative to src; null for a package or a module of Node. */
  to: string | null;
  isTypeOnly: boolean;
  /** What is imported by name; empty for everything else. */
  names: readonly string[];
};

export type InternalImport = Import & { to: string };

/** Every TypeScript file below src, tests included, sorted and relative to src. */
export function listSources(): string[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => path.relative(SRC, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

export function readSource(file: string): string {
  return readFileSync(path.join(SRC, file), 'utf8');
}

/** Throws for a file that does not parse. */
export function parseSource(file: string) {
  const result = parseSync(file, readSource(file));
  if (result.errors.length > 0) throw new Error(`src/${file} does not parse: ${result.errors[0]?.message}`);
  return result;
}

/** Static imports, re-exports, and `import('…')` as an expression and as a type. */
export function readImports(file: string): Import[] {
  const { module, program } = parseSource(file);
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

export function isInternal(entry: Import): entry is InternalImport {
  return entry.to !== null;
}

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
