import type { Issue } from '#storage/ports/issues.ts';

/** What the releases of an issue say, in a sentence; null when they say nothing. `newest` is that of its project. */
export function changeNote(
  { firstRelease, lastRelease }: Pick<Issue, 'firstRelease' | 'lastRelease'>,
  newest: string | null,
): string | null {
  if (newest === null) return null;
  if (lastRelease === null) return 'Its last event came without a release.';
  if (firstRelease === newest) return 'It is new in the newest release.';
  if (lastRelease === newest) return 'It still happens in the newest release.';
  return `It has not been seen in the newest release, ${newest}.`;
}
