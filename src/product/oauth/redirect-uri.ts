import { invalid } from '#lib/errors.ts';
import { isLoopbackHost } from '#lib/loopback-host.ts';

const CHARACTERS_MAX = 500;
/** A URL is read without them, or with an escape in their place: it would not be the text that is kept. */
const NOT_OF_ADDRESSES = /[\p{Cc}\s]/u;
/** Schemes that a browser runs, shows or reads as something else than a program's. */
const NOT_OF_PROGRAMS: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

/**
 * Throws Invalid for an address that people cannot safely be sent back to: it is `https`, a program on their own machine
 * (`http` on loopback), or a scheme of a program. Source: https://www.rfc-editor.org/rfc/rfc8252#section-7
 */
export function checkRedirectUri(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed =
    url !== null &&
    text.length <= CHARACTERS_MAX &&
    !NOT_OF_ADDRESSES.test(text) &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && isLoopbackHost(url.hostname)) ||
      (url.protocol !== 'http:' &&
        !NOT_OF_PROGRAMS.has(url.protocol) &&
        /^[a-z][a-z0-9+.-]*:\/\//.test(text)));
  if (isAllowed) return text;
  throw invalid(
    `"${text.slice(0, 100)}" is not a valid redirect URI: use https, http on localhost, or a custom app scheme`,
    'redirect_uris',
  );
}

/** Whether a registered address covers the asked one: the same text, on loopback with any port. */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  return registered.some((text) => text === asked || isSameLoopback(text, asked));
}

/** A program listens on the port that it was given. Source: https://www.rfc-editor.org/rfc/rfc8252#section-7.3 */
function isSameLoopback(registered: string, asked: string): boolean {
  if (!URL.canParse(registered) || !URL.canParse(asked) || NOT_OF_ADDRESSES.test(asked)) return false;
  const [one, other] = [new URL(registered), new URL(asked)];
  if (one.protocol !== 'http:' || !isLoopbackHost(one.hostname)) return false;
  one.port = '';
  other.port = '';
  return one.href === other.href;
}

/** Where somebody is sent, as they can judge it: `this computer`, a host, or a scheme. */
export function describeRedirect(text: string): string {
  const url = new URL(text);
  if (url.protocol === 'https:') return url.host;
  return url.protocol === 'http:'
    ? 'an application on this computer'
    : `the application that opens ${url.protocol}//`;
}
