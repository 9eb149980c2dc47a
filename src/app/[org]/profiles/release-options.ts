import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import { formatPlural } from '#ui/format-number.ts';

/** No release: all of them, or the range before. No version is called so. */
export const NO_RELEASE = '*';

/** Releases to choose from, with what stands for none in front. */
export const releaseOptions = (
  noRelease: string,
  releases: readonly { release: string | null; profiles: number }[],
): { value: string; label: string; hint?: string }[] => [
  { value: NO_RELEASE, label: noRelease },
  ...releases.flatMap(({ release, profiles }) =>
    release === null
      ? []
      : [
          {
            value: release,
            label: shortenHashes(visibleText(release)),
            hint: formatPlural(profiles, 'profile'),
          },
        ],
  ),
];
