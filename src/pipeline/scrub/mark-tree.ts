import type { Remark } from './redact-text.ts';

/** What became of one value, and where it is. */
export type Mark = {
  path: readonly (string | number)[];
  remarks: readonly Remark[];
  /** Length of the text before, in Unicode signs; null for what was no text. */
  length: number | null;
};

type MetaTree = Readonly<Record<string, unknown>>;

/**
 * Adds marks to `_meta`, which follows the shape of the payload and keeps what concerns a value itself under the empty
 * name: `{"extra": {"password": {"": {"rem": [["@password:filter", "s", 0, 10]], "len": 5}}}}`. Leaves `meta` as it is.
 */
export function addMarks(meta: MetaTree | null | undefined, marks: readonly Mark[]): MetaTree {
  const root = copyOf(meta);
  const copied = new Set<object>([root]);
  for (const mark of marks) {
    let node = root;
    for (const part of [...mark.path, '']) {
      const name = String(part);
      const next = Object.hasOwn(node, name) ? node[name] : undefined;
      const child = isTree(next) && copied.has(next) ? (next as Record<string, unknown>) : copyOf(next);
      copied.add(child);
      putField(node, name, child);
      node = child;
    }
    node.rem = [...(Array.isArray(node.rem) ? (node.rem as unknown[]) : []), ...mark.remarks];
    if (mark.length !== null && node.len === undefined) node.len = mark.length;
  }
  return root;
}

/** Sets a field of its own, whatever its name: `__proto__` would change the object instead. */
export function putField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else target[name] = value;
}

const isTree = (value: unknown): value is MetaTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const copyOf = (value: unknown): Record<string, unknown> => (isTree(value) ? { ...value } : {});
