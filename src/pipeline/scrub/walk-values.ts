import type { SchemaNode } from './schema-node.ts';
import type { KeyVerdict } from './sensitive-keys.ts';
import { VALUE_TYPE } from './value-types.ts';

/** Tells the values of attributes from those of other objects; no selector can name it. */
export const ATTRIBUTES_BIT = 1 << 30;

/** The kinds of a value besides those that the schema tells. */
export function basicType(value: unknown, node: SchemaNode): number {
  switch (typeof value) {
    case 'string':
      return VALUE_TYPE.string;
    case 'number':
    case 'bigint':
      return VALUE_TYPE.number;
    default:
      if (node.pii === 'named') return 0;
      if (node.shape === 'attributes') return VALUE_TYPE.object | ATTRIBUTES_BIT;
      return Array.isArray(value) && node.shape !== 'pairs' && !node.shape.endsWith('cookies')
        ? VALUE_TYPE.array
        : VALUE_TYPE.object;
  }
}

/** What holds nothing tells nothing, and is what a removal may have left. */
export function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** What stands where a value was removed. */
export function standIn(node: SchemaNode): unknown {
  switch (node.empty) {
    case 'null':
      return null;
    case 'text':
      return '';
    case 'list':
      return [];
    case 'map':
      return {};
  }
}

/** `max_tokens: 4096` counts tokens, and tells none. */
export const isCount = (value: unknown, verdict: KeyVerdict, key: string | number | undefined): boolean =>
  verdict === 'token' && typeof value === 'number' && typeof key === 'string' && /tokens/i.test(key);

export const isPairList = (value: readonly unknown[]): boolean =>
  value.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string');
