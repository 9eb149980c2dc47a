/** Of an address, that much is read. */
const URL_CHARS_MAX = 2_048;

/** An address without its query, with IDs in its path replaced by `*`: the same for every item of a kind. */
export function urlKey(url: string): string {
  const [origin, path] = splitUrl(url);
  return origin + path.split('/').map(segmentKey).join('/');
}

/** As `urlKey`, with the parts of the file name that change with each build replaced as well. */
export function assetKey(url: string): string {
  const key = urlKey(url);
  const nameAt = key.lastIndexOf('/') + 1;
  const name = key.slice(nameAt).replace(/[A-Za-z0-9]{6,}/g, (part) => (isBuildHash(part) ? '*' : part));
  return key.slice(0, nameAt) + name;
}

/** The path of an address, without its query. */
export const pathOf = (url: string): string => splitUrl(url)[1];

/** The extension of the file that an address names, in lower case; empty when there is none. */
export const extensionOf = (url: string): string => {
  const path = pathOf(url);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /\.([A-Za-z][A-Za-z0-9]{0,7})$/.exec(name)?.[1]?.toLowerCase() ?? '';
};

/** What comes before the path, and the path. */
function splitUrl(url: string): [origin: string, path: string] {
  const bare = url.slice(0, URL_CHARS_MAX).split(/[?#]/, 1)[0] as string;
  const origin = /^(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?\/\/[^/]*/.exec(bare)?.[0] ?? '';
  return [origin, bare.slice(origin.length)];
}

const segmentKey = (segment: string): string => (isId(segment) ? '*' : segment);

/** A number, a UUID, a hash, or anything long that has a digit in it. */
const isId = (segment: string): boolean =>
  /^\d+$/.test(segment) || (segment.length >= 16 && /\d/.test(segment) && !segment.includes('.'));

/** Hexadecimal digits, or letters and digits as bundlers write them. */
const isBuildHash = (part: string): boolean =>
  /\d/.test(part) && (/^[0-9a-f]+$/i.test(part) || (part.length >= 8 && /[A-Za-z]/.test(part)));
