import { invalid } from '#lib/errors.ts';

const URL_CHARACTERS_MAX = 2_000;
const TITLE_CHARACTERS_MAX = 200;

/**
 * An address of the web, made whole, and its title: what was typed, else the last part of the path with the host.
 * Throws Invalid for anything but http and https, and for an address with a password in it.
 */
export function checkLink(input: { url: string; title?: string }): { url: string; title: string } {
  const url = parseUrl(input.url.trim());
  const title = (input.title ?? '').replace(/\s+/g, ' ').trim();
  if (title.length > TITLE_CHARACTERS_MAX) {
    throw invalid(`The title has more than ${TITLE_CHARACTERS_MAX} characters: shorten it`, 'title');
  }
  return { url: url.href, title: title || titleOf(url) };
}

function parseUrl(text: string): URL {
  if (text.length > URL_CHARACTERS_MAX) {
    throw invalid(`The address has more than ${URL_CHARACTERS_MAX} characters`, 'url');
  }
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid('Give the whole address, beginning with https://', 'url');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('The address holds a password: everybody who sees the issue would see it', 'url');
  }
  return url;
}

/** `https://github.com/acme/web/issues/12` is `12 · github.com`. */
function titleOf(url: URL): string {
  const last = url.pathname.split('/').filter(Boolean).at(-1);
  return last ? `${decode(last)} · ${url.host}`.slice(0, TITLE_CHARACTERS_MAX) : url.host;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
