import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../src');

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** Calls whose callback runs in a transaction, by the place of the callback. */
const TRANSACTIONS: Readonly<Record<string, number>> = {
  audited: 1,
  inTransaction: 1,
  changeOwnAccess: 2,
  'stores.inTransaction': 0,
};
/** What reaches the stores, and therefore has to be the one that the callback was handed. */
const HANDED = ['ctx', 'self', 'stores', 'services'];

test('what runs in a transaction reaches the stores by what it was handed', () => {
  const offenders = globSync('**/*.{ts,tsx}', { cwd: SRC }).flatMap((file) => {
    const source = readFileSync(path.join(SRC, file), 'utf8');
    if (!/audited\(|inTransaction\(|changeOwnAccess\(/.test(source)) return [];
    const { program } = parseSync(file, source);
    const closures = listClosures(program).filter(({ body }) => reachesOutside(body, source));
    return listCallbacks(program, source)
      .filter((callback) => reachesOutside(callback, source) || callsOneOf(closures, callback, source))
      .map(({ start }) => `src/${file}:${source.slice(0, start).split('\n').length}`);
  });
  expect(offenders).toEqual([]);
});

function listCallbacks(node: unknown, source: string): Node[] {
  if (Array.isArray(node)) return node.flatMap((one) => listCallbacks(one, source));
  if (!isNode(node)) return [];
  const nested = Object.values(node).flatMap((value) => listCallbacks(value, source));
  if (node.type !== 'CallExpression') return nested;
  const callee = node.callee as Node;
  const name = source.slice(callee.start, callee.end);
  const at = TRANSACTIONS[name.endsWith('stores.inTransaction') ? 'stores.inTransaction' : name];
  const callback = at === undefined ? undefined : (node.arguments as Node[])[at];
  return callback?.type === 'ArrowFunctionExpression' ? [callback, ...nested] : nested;
}

/** Arrow functions that a function keeps under a name of its own: they hold whatever was in scope there. */
function listClosures(node: unknown, isTop = true): { name: string; body: Node }[] {
  if (Array.isArray(node)) return node.flatMap((one) => listClosures(one, isTop));
  if (!isNode(node)) return [];
  const isInner = /Function/.test(node.type);
  const nested = Object.values(node).flatMap((value) => listClosures(value, isTop && !isInner));
  const [id, init] = [node.id, node.init];
  if (isTop || node.type !== 'VariableDeclarator' || !isNode(id) || !isNode(init)) return nested;
  return init.type === 'ArrowFunctionExpression'
    ? [{ name: String(id.name), body: init }, ...nested]
    : nested;
}

function callsOneOf(closures: { name: string; body: Node }[], callback: Node, source: string): boolean {
  const body = source.slice((callback.body as Node).start, callback.end);
  return closures.some(({ name }) => new RegExp(`(?<![.\\w])${name}\\(`).test(body));
}

function reachesOutside(callback: Node, source: string): boolean {
  const { start, end } = callback.body as Node;
  const parameters = source.slice(callback.start, start);
  const body = source.slice(start, end);
  const isOwn = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(parameters) || new RegExp(`const (\\{[^}]*\\b)?${name}\\b`).test(body);
  return HANDED.filter((name) => !isOwn(name)).some((name) =>
    new RegExp(
      name === 'stores' ? '(?<![.\\w])stores\\.' : `(?<![.\\w])${name}\\.stores\\b|[(,] *${name}[,)]`,
    ).test(body),
  );
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
