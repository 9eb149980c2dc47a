import type { ScrubbedValue } from './explanation.ts';

type Tree = Readonly<Record<string, unknown>>;

/** Marks in the stored `_meta` that the SDK had not set itself. Source: relay-protocol/src/meta.rs */
export function listScrubbed(before: unknown, after: unknown): readonly ScrubbedValue[] {
  const found: ScrubbedValue[] = [];
  visit(asTree(before), asTree(after), []);
  return found;

  function visit(sent: Tree, marked: Tree, path: readonly string[]): void {
    for (const [name, node] of Object.entries(marked)) {
      const old = asTree(sent[name]);
      if (name !== '') visit(old, asTree(node), [...path, name]);
      else found.push(...newRemarks(old, asTree(node), path.join('.')));
    }
  }
}

function newRemarks(sent: Tree, marked: Tree, path: string): ScrubbedValue[] {
  const known = Array.isArray(sent.rem) ? sent.rem.length : 0;
  const remarks: readonly unknown[] = Array.isArray(marked.rem) ? marked.rem.slice(known) : [];
  const lengthBefore = typeof marked.len === 'number' ? marked.len : null;
  return remarks.flatMap((remark) => {
    if (!Array.isArray(remark) || typeof remark[0] !== 'string') return [];
    const [rule, letter, from, to] = remark as [string, unknown, unknown, unknown];
    const range = typeof from === 'number' && typeof to === 'number' ? ([from, to] as const) : null;
    return [{ path, rule, method: METHODS[String(letter)] ?? String(letter), range, lengthBefore }];
  });
}

const METHODS: Readonly<Record<string, string>> = {
  x: 'removed',
  m: 'masked',
  p: 'hashed',
  s: 'replaced',
  e: 'encrypted',
  a: 'noticed',
};

const asTree = (value: unknown): Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
