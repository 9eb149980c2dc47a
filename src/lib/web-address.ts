import { invalid } from './errors.ts';

const URL_CHARACTERS_MAX = 2_000;

/** Throws Invalid for anything but http and https, and for an address with a password in it. */
export function checkWebAddress(text: string, field: string): string {
  const url = text.length > URL_CHARACTERS_MAX ? null : URL.parse(text.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid(
      `"${field}" must be a full URL of at most ${URL_CHARACTERS_MAX} characters, starting with https://`,
      field,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(`"${field}" contains a password that everyone could see: remove it`, field);
  }
  return url.href;
}
