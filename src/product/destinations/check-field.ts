const ADDRESS_CHARACTERS_MAX = 2_000;
const SIGNING_SECRET = { min: 16, max: 200 };

/** An address to post to. Throws Error with a sentence, as all of these. */
export function checkAddress(value: string): string {
  const url = URL.parse(value);
  if (value.length > ADDRESS_CHARACTERS_MAX || !url || !/^https?:$/.test(url.protocol)) {
    throw new Error('Enter a valid URL, such as https://…');
  }
  if (url.username !== '' || url.password !== '')
    throw new Error('The URL cannot contain a username or password');
  url.hash = '';
  return url.href;
}

/** Only where the server is, without a path. */
export function checkServer(value: string): string {
  const url = new URL(checkAddress(value));
  if (url.pathname !== '/' || url.search !== '') throw new Error(`Enter only the server: ${url.origin}`);
  return url.origin;
}

export const checkMatch =
  (pattern: RegExp, sentence: string) =>
  (value: string): string => {
    if (pattern.test(value)) return value;
    throw new Error(sentence);
  };

export function checkSigningSecret(value: string): string {
  const { min, max } = SIGNING_SECRET;
  if (value.length >= min && value.length <= max && /^[\x21-\x7e]+$/.test(value)) return value;
  throw new Error(`A signing secret must have ${min} to ${max} characters and no spaces`);
}
