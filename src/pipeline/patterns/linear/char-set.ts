/** A set of UTF-16 units: ranges, sorted and apart, and predicates for classes that no short list of ranges tells. */
export type CharSet = {
  ranges: readonly (readonly [number, number])[];
  /** Unicode properties: what matches one of them belongs to the set too. */
  properties: readonly { test: RegExp; isNegated: boolean }[];
  isNegated: boolean;
};

/** The last UTF-16 code unit. */
export const UNIT_MAX = 0xffff;

export const charSet = (
  ranges: readonly (readonly [number, number])[],
  properties: CharSet['properties'] = [],
  isNegated = false,
): CharSet => ({ ranges: mergeRanges(ranges), properties, isNegated });

export const DIGITS: readonly (readonly [number, number])[] = [[0x30, 0x39]];
export const WORD: readonly (readonly [number, number])[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
export const SPACE: readonly (readonly [number, number])[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

export function invertRanges(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const inverted: [number, number][] = [];
  let next = 0;
  for (const [low, high] of mergeRanges(ranges)) {
    if (low > next) inverted.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= UNIT_MAX) inverted.push([next, UNIT_MAX]);
  return inverted;
}

/** The set with the other case of each of its letters. */
export function foldCase(set: CharSet): CharSet {
  const added: [number, number][] = [];
  for (const [low, high] of set.ranges) {
    // Wide ranges hold both cases of nearly everything; only their edges would be worth the walk.
    if (high - low > 0x400) continue;
    for (let unit = low; unit <= high; unit += 1) {
      const char = String.fromCharCode(unit);
      for (const other of [char.toLowerCase(), char.toUpperCase()]) {
        if (other.length === 1 && other !== char) added.push([other.charCodeAt(0), other.charCodeAt(0)]);
      }
    }
  }
  return charSet([...set.ranges, ...added], set.properties, set.isNegated);
}

/** Tells quickly whether a unit is in the set. */
export class CharMatcher {
  readonly #ascii = new Uint8Array(128);
  readonly #set: CharSet;

  constructor(set: CharSet) {
    this.#set = set;
    for (let unit = 0; unit < 128; unit += 1) this.#ascii[unit] = this.#look(unit) ? 1 : 0;
  }

  has(unit: number): boolean {
    return unit < 128 ? this.#ascii[unit] === 1 : this.#look(unit);
  }

  #look(unit: number): boolean {
    const { ranges, properties, isNegated } = this.#set;
    let isIn = false;
    for (const [low, high] of ranges) {
      if (unit < low) break;
      if (unit <= high) {
        isIn = true;
        break;
      }
    }
    for (const property of properties) {
      if (isIn) break;
      isIn = property.test.test(String.fromCharCode(unit)) !== property.isNegated;
    }
    return isIn !== isNegated;
  }
}

function mergeRanges(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = merged.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}
