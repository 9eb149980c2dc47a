import { NO_RELEASE } from '../../release-options.ts';

/** Versions, or `NO_RELEASE`: the range before on the left, all releases on the right. */
export type ChosenSides = { before: string; after: string };

/**
 * What the address names; else the latest release against the one before it, and with fewer than two releases the range
 * against the range before. `releases`: the latest first.
 */
export function chooseSides(
  releases: readonly { release: string | null }[],
  named: { before: string | null; after: string | null },
): ChosenSides {
  const versions = releases.flatMap(({ release }) => release ?? []);
  const after =
    named.after ?? (named.before === NO_RELEASE || versions.length < 2 ? NO_RELEASE : versions[0]);
  const previous = versions[versions.indexOf(after ?? '') + 1];
  const before = named.before ?? (after === NO_RELEASE ? NO_RELEASE : previous);
  return { before: before ?? NO_RELEASE, after: after ?? NO_RELEASE };
}
