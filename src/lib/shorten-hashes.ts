/**
 * The text with its hashes cut to what version controls show of them: `Resolved in web@1.2.0+9f2c1ab`. Where it is
 * shown, the whole text is the title.
 */
export const shortenHashes = (text: string): string =>
  text.replace(LONG_HASH, (hash) => hash.slice(0, HASH_CHARACTERS_SHOWN));

const HASH_CHARACTERS_SHOWN = 7;
/** Digits alone may be a date or a build number, and a UUID stays whole. */
const LONG_HASH = /\b(?<!-[0-9a-f]{4}-)(?=\d*[a-f])[0-9a-f]{12,}\b/gi;
