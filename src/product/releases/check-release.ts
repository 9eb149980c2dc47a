import { invalid } from '#lib/errors.ts';
import { isReleaseName, RELEASE_NAME_EXPECTED } from '#protocol/release-version.ts';
import type { ReleaseChange } from '#storage/ports/releases.ts';

const URL_CHARACTERS_MAX = 2_000;
const REF_CHARACTERS_MAX = 250;

/** The name without blanks around it. Throws Invalid. */
export function checkVersion(text: string): string {
  const version = text.trim();
  if (version !== '' && isReleaseName(version)) return version;
  throw invalid(`A release is named with ${RELEASE_NAME_EXPECTED}`, 'version');
}

/** Throws Invalid, naming the field. */
export function checkReleaseChange(change: ReleaseChange): ReleaseChange {
  if (change.ref && change.ref.length > REF_CHARACTERS_MAX) {
    throw invalid(`"ref" has at most ${REF_CHARACTERS_MAX} characters`, 'ref');
  }
  return change.url ? { ...change, url: checkWebAddress(change.url, 'url') } : change;
}

/** Throws Invalid for anything but http and https, and for an address with a password in it. */
export function checkWebAddress(text: string, field: string): string {
  const url = text.length > URL_CHARACTERS_MAX ? null : URL.parse(text.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid(
      `"${field}" is a whole address of at most ${URL_CHARACTERS_MAX} characters, beginning with https://`,
      field,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(`"${field}" holds a password, which everybody would see: leave it out`, field);
  }
  return url.href;
}
