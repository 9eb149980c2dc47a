import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../src');

/** Each finds out who asks, and none goes on without: what else is wrong with them, the verbs behind say. */
const ASKS_WHO: ReadonlySet<string> = new Set(['getRequestContext', 'getSession', 'findSession']);

/** Actions that people without a session need, each with what it asks for instead. */
const FOR_EVERYBODY: Readonly<Record<string, string>> = {
  'app/(account)/sign-out.ts signOutAction': 'the cookie of the session that it ends',
  'app/invite/[token]/invitation-actions.ts joinAction': 'the one-time token of the invitation',
  'app/login/passkey-actions.ts beginPasskeySignInAction': 'nothing: it makes a challenge',
  'app/login/passkey-actions.ts finishPasskeySignInAction': 'the passkey',
  'app/login/second-step/second-step-action.ts secondStepAction':
    'the cookie of the first step, and the code',
  'app/login/sign-in-action.ts signInAction': 'the password',
  'app/reset-password/[token]/reset-password-action.ts resetPasswordAction': 'the one-time token of the mail',
  'app/reset-password/request-reset-action.ts requestResetAction': 'nothing: it mails only the owner',
  'app/setup/set-up-action.ts setUpAction': 'the one-time token of the start',
  'app/unsubscribe/[token]/choice/unsubscribe-actions.ts undoUnsubscribeAction': 'the sealed link of a mail',
  'app/unsubscribe/[token]/choice/unsubscribe-actions.ts unsubscribeAction': 'the sealed link of a mail',
};

const actions = readdirSync(path.join(SRC, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => `app/${file}`)
  .filter((file) => /^'use server';/.test(readFileSync(path.join(SRC, file), 'utf8')))
  .sort()
  .flatMap((file) => exportedFunctions(file).map((name) => ({ file, name, id: `${file} ${name}` })));

test('every server action asks who it is, or is listed as one for everybody', () => {
  expect(actions.length).toBeGreaterThan(40);
  const open = actions.filter(({ file, name }) => !reaches(file, name)).map(({ id }) => id);
  expect(open.filter((id) => !(id in FOR_EVERYBODY))).toEqual([]);
  const ids = actions.map(({ id }) => id);
  expect(Object.keys(FOR_EVERYBODY).filter((id) => !ids.includes(id))).toEqual([]);
});

type Parsed = {
  /** Names that each function of the file mentions. */
  functions: ReadonlyMap<string, ReadonlySet<string>>;
  /** Imported name → the file that has it and its name there; only ours. */
  imports: ReadonlyMap<string, { file: string; name: string }>;
};

/** Whether a function calls one that asks who it is, itself or over others. */
function reaches(file: string, name: string, seen = new Set<string>()): boolean {
  const id = `${file} ${name}`;
  if (seen.has(id)) return false;
  seen.add(id);
  const { functions, imports } = parse(file);
  for (const mentioned of functions.get(name) ?? []) {
    if (ASKS_WHO.has(mentioned)) return true;
    const imported = imports.get(mentioned);
    if (imported && reaches(imported.file, imported.name, seen)) return true;
    if (functions.has(mentioned) && reaches(file, mentioned, seen)) return true;
  }
  return false;
}

function exportedFunctions(file: string): readonly string[] {
  const { program } = parseSync(file, readFileSync(path.join(SRC, file), 'utf8'));
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const declared = statement.declaration as { type: string; id?: { name: string } } | null;
    return declared?.type === 'FunctionDeclaration' && declared.id ? [declared.id.name] : [];
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
