import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

const SRC = path.resolve(import.meta.dirname, '../../src');

/** An exported function of a file that says 'use server'. */
export type ServerAction = {
  /** Relative to `src`. */
  file: string;
  name: string;
  /** Both. */
  id: string;
};

/** Every one of them, as the source has them. */
export const listActions = (): readonly ServerAction[] =>
  readdirSync(path.join(SRC, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => `app/${file}`)
    .filter((file) => /^'use server';/.test(readFileSync(path.join(SRC, file), 'utf8')))
    .sort()
    .flatMap((file) => exportedFunctions(file).map((name) => ({ file, name, id: `${file} ${name}` })));

type Parsed = {
  /** Names that each function of the file mentions. */
  functions: ReadonlyMap<string, ReadonlySet<string>>;
  /** Imported name → the file that has it and its name there; only ours. */
  imports: ReadonlyMap<string, { file: string; name: string }>;
};

/** Every name that a function mentions, itself or over others of ours in `src/app`. */
export function namesReachedBy(
  { file, name }: Pick<ServerAction, 'file' | 'name'>,
  seen = new Map<string, Set<string>>(),
): ReadonlySet<string> {
  const id = `${file} ${name}`;
  const known = seen.get(id);
  if (known) return known;
  const reached = new Set<string>();
  seen.set(id, reached);
  const { functions, imports } = parse(file);
  for (const mentioned of functions.get(name) ?? []) {
    reached.add(mentioned);
    const imported = imports.get(mentioned);
    const next = imported ?? (functions.has(mentioned) ? { file, name: mentioned } : null);
    if (next) for (const each of namesReachedBy(next, seen)) reached.add(each);
  }
  return reached;
}

function exportedFunctions(file: string): readonly string[] {
  const { program } = parseSync(file, readFileSync(path.join(SRC, file), 'utf8'));
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const declared = statement.declaration as Node;
    return declared?.type === 'FunctionDeclaration' || declared?.type === 'VariableDeclaration'
      ? declaredNames(declared)
      : [];
  });
}

const parsed = new Map<string, Parsed>();

function parse(file: string): Parsed {
  const known = parsed.get(file);
  if (known) return known;
  const functions = new Map<string, Set<string>>();
  const imports = new Map<string, { file: string; name: string }>();
  const full = path.join(SRC, file);
  if (existsSync(full)) {
    const { program, module } = parseSync(file, readFileSync(full, 'utf8'));
    for (const statement of program.body) {
      const declared = (
        statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      ) as Node;
      if (declared?.type === 'FunctionDeclaration' || declared?.type === 'VariableDeclaration') {
        for (const name of declaredNames(declared)) functions.set(name, identifiersOf(declared));
      }
    }
    for (const { moduleRequest, entries } of module.staticImports) {
      const to = resolve(file, moduleRequest.value);
      if (!to?.startsWith('app/')) continue;
      for (const { importName, localName } of entries) {
        imports.set(localName.value, { file: to, name: importName.name ?? localName.value });
      }
    }
  }
  const result = { functions, imports };
  parsed.set(file, result);
  return result;
}

type Node = { type: string; [key: string]: unknown } | null;

function declaredNames(node: NonNullable<Node>): readonly string[] {
  if (node.type === 'FunctionDeclaration') return [(node.id as { name: string }).name];
  return (node.declarations as { id: { name?: string } }[]).flatMap(({ id }) => id.name ?? []);
}

function identifiersOf(node: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const each of node) identifiersOf(each, found);
  else if (typeof node === 'object' && node !== null) {
    const { type, name } = node as { type?: unknown; name?: unknown };
    if (type === 'Identifier' && typeof name === 'string') found.add(name);
    for (const value of Object.values(node)) identifiersOf(value, found);
  }
  return found;
}

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return null;
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier));
}
