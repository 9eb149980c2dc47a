import { hash } from 'node:crypto';
import { leavesOf } from '../component.ts';
import { DEFAULT_ENTRY } from '../fingerprint/fingerprint-variables.ts';
import type { GroupingComponent, GroupingVariant, VariantName } from '../grouping-types.ts';

/** md5 over the texts one after the other, with nothing between them; 32 lower-case hex digits. */
export const hashOf = (values: readonly string[]): string => hash('md5', values.join(''));

/** A variant by what the strategies found; with a fingerprint, its other entries stand around the default ones. */
export function componentVariant(
  name: VariantName,
  tree: GroupingComponent,
  fingerprint: readonly string[] | null = null,
): GroupingVariant {
  const { contributes, hint } = tree;
  if (!contributes) return { name, hash: null, contributes, hint, values: [], tree, fingerprint };
  const leaves = leavesOf(tree);
  const values = fingerprint?.flatMap((entry) => (entry === DEFAULT_ENTRY ? leaves : entry)) ?? leaves;
  return { name, hash: hashOf(values), contributes, hint: null, values, tree, fingerprint };
}

export const fingerprintVariant = (name: VariantName, fingerprint: readonly string[]): GroupingVariant => ({
  ...contributing(name, hashOf(fingerprint), fingerprint),
  fingerprint,
});

const HASH = /^[0-9a-f]{32}$/;

/** A checksum is the hash when it looks like one, else it is hashed. */
export const checksumVariant = (checksum: string): GroupingVariant =>
  HASH.test(checksum)
    ? contributing('checksum', checksum, [])
    : contributing('hashed_checksum', hashOf([checksum]), [checksum]);

/** Events in which nothing was found are one issue. */
export const fallbackVariant = (): GroupingVariant => contributing('fallback', hashOf([]), []);

const contributing = (name: VariantName, hash: string, values: readonly string[]): GroupingVariant => ({
  name,
  hash,
  contributes: true,
  hint: null,
  values,
  tree: null,
  fingerprint: null,
});
