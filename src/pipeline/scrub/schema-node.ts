import type { Pii } from './match-selector.ts';

/**
 * How far the default rules go in a field.
 * `full`: names of fields, patterns, and the whole text when it mentions a secret. `keyed`: the same without mentions.
 * `quiet`: patterns only. `text`: patterns for messages that people read (e-mail addresses too). `file`: as `quiet`, with
 * settings that stand in lines of their own. `secrets`: keys and tokens of known forms, and parameters of addresses.
 * `none`: known forms only.
 */
export type Sweep = 'full' | 'keyed' | 'quiet' | 'text' | 'file' | 'secrets' | 'none';

/** What scrubbing knows of a field of a payload. */
export type SchemaNode = {
  /** Bits of `VALUE_TYPE` besides the basic ones. */
  types: number;
  pii: Pii;
  sweep: Sweep;
  /** `cookies` are told apart by their names, `set-cookies`, which a server has just given out, are all secret. */
  shape: 'map' | 'pairs' | 'attributes' | 'path' | 'cookies' | 'set-cookies';
  /** Fields of their own by name; null when there are none. */
  fields: ReadonlyMap<string, SchemaNode> | null;
  /** All other fields; null when they are left alone. */
  rest: SchemaNode | null;
  /** Elements of a list. */
  items: SchemaNode | null;
  /** What stands in for a value that was removed, where null would break the shape. */
  empty: 'null' | 'text' | 'list' | 'map';
  /** A place where an address stands by definition: emptied whatever it holds when addresses are not to be kept. */
  isIp: boolean;
};

/** A field that no rule reaches: ids, times, names of code. Only keys and tokens of known forms are taken out of it. */
export const FIXED: SchemaNode = {
  types: 0,
  pii: 'false',
  sweep: 'secrets',
  shape: 'map',
  fields: null,
  rest: null,
  items: null,
  empty: 'null',
  isIp: false,
};

/** Whether the schema knows nothing of what stands below: it is treated as the value itself. */
export const isLeaf = ({ fields, rest, items, shape }: SchemaNode): boolean =>
  fields === null && rest === null && items === null && (shape === 'map' || shape === 'path');

/** A value without fields of its own. */
export const leaf = (sweep: Sweep, changes: Partial<SchemaNode> = {}): SchemaNode => ({
  ...FIXED,
  pii: 'true',
  sweep,
  ...changes,
});

/** JSON of any shape, in which every value is treated alike. */
export function json(sweep: Sweep, changes: Partial<SchemaNode> = {}): SchemaNode {
  const node: SchemaNode = { ...FIXED, pii: 'true', sweep, ...changes };
  node.rest ??= node;
  node.items ??= node;
  return node;
}

/** An object whose fields the schema knows. Selectors can point at it, but no sweeping one takes it away. */
export const container = (
  fields: Readonly<Record<string, SchemaNode>>,
  changes: Partial<SchemaNode> = {},
): SchemaNode => ({ ...FIXED, pii: 'named', fields: new Map(Object.entries(fields)), ...changes });

/** A list whose elements the schema knows; a removed element leaves an empty object, so that the others keep their places. */
export const list = (items: SchemaNode, changes: Partial<SchemaNode> = {}): SchemaNode => ({
  ...FIXED,
  pii: 'named',
  items,
  empty: 'list',
  ...changes,
});

/** `[name, value]` pairs, which selectors see as fields of an object. */
export const pairs = (sweep: Sweep, changes: Partial<SchemaNode> = {}): SchemaNode => ({
  ...FIXED,
  pii: 'true',
  shape: 'pairs',
  rest: leaf(sweep, { empty: 'text' }),
  empty: 'list',
  ...changes,
});
