import type { Selector, SelectorItem } from './parse-selector.ts';
import { BASIC_TYPES } from './value-types.ts';

/**
 * How far selectors reach a value. `true`: all of them; `maybe`: only ones that name the place, not `**` or `$string`;
 * `named`: as `maybe`, and no negation either (containers that the schema knows); `false`: none.
 * Source: `Pii` in relay-event-schema/src/processor/attrs.rs; `named` is ours.
 */
export type Pii = 'true' | 'maybe' | 'named' | 'false';

/** The place of a value: what leads to it from the root, the root (without a key) included. */
export type PathStack = {
  /** Keys and indexes; at 0, that of the root, stands the empty text. */
  readonly keys: readonly (string | number)[];
  /** Bits of `VALUE_TYPE`. */
  readonly types: readonly number[];
  /** Number of entries that count; what lies behind is left from before. */
  readonly length: number;
};

/** Whether the selector selects the value at the end of the path. A path matches when the place ends with it. */
export function matchSelector(selector: Selector, path: PathStack, pii: Pii): boolean {
  switch (selector.kind) {
    case 'path':
      return pii !== 'false' && matchPath(selector.items, path, pii);
    case 'and':
      for (const part of selector.parts) if (!matchSelector(part, path, pii)) return false;
      return true;
    case 'or':
      for (const part of selector.parts) if (matchSelector(part, path, pii)) return true;
      return false;
    case 'not':
      return pii !== 'false' && pii !== 'named' && !matchSelector(selector.part, path, pii);
  }
}

function matchPath(items: readonly SelectorItem[], path: PathStack, pii: Pii): boolean {
  let item = items.length - 1;
  let place = path.length - 1;
  for (; place >= 0 && item >= 0; place -= 1, item -= 1) {
    const current = items[item] as SelectorItem;
    if (!matchItem(current, item, path, place, pii)) return false;
    if (current.kind === 'deep') return matchAbove(items, item, path, place, pii);
  }
  return item < 0;
}

/** `**` took the value at `place`: what stands before it must begin somewhere above, and go on without a gap. */
function matchAbove(
  items: readonly SelectorItem[],
  deep: number,
  path: PathStack,
  place: number,
  pii: Pii,
): boolean {
  if (deep === 0) return place > 0;
  for (let start = 0; start + deep <= place; start += 1) {
    let item = 0;
    while (item < deep && matchItem(items[item] as SelectorItem, item, path, start + item, pii)) item += 1;
    if (item === deep) return true;
  }
  return false;
}

function matchItem(item: SelectorItem, position: number, path: PathStack, place: number, pii: Pii): boolean {
  switch (item.kind) {
    case 'any':
      return true;
    case 'deep':
      return pii === 'true';
    case 'type':
      if (((path.types[place] as number) & item.bit) === 0) return false;
      return pii === 'true' || ((item.bit & BASIC_TYPES) === 0 && position === 0);
    case 'index':
      return path.keys[place] === item.index;
    case 'key':
      return equalsKey(path.keys[place], item.key);
  }
}

function equalsKey(key: string | number | undefined, lower: string): boolean {
  if (typeof key !== 'string' || key.length !== lower.length) return false;
  return key === lower || key.toLowerCase() === lower;
}
