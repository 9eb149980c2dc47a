import { invalid } from '#lib/errors.ts';
import { checkWebAddress } from '#product/releases/check-release.ts';
import { TRACKER_KINDS, type TrackerKind } from '#storage/ports/trackers.ts';
import { TRACKER_WORDS } from './tracker-kinds.ts';

const NAME_CHARACTERS_MAX = 100;
const LOGIN_CHARACTERS_MAX = 200;
const TOKEN_CHARACTERS_MAX = 2_000;

export type TrackerInput = {
  name: string;
  /** Empty or null for the usual place. */
  url: string | null;
  login: string | null;
  token: string;
};

/** Throws Invalid, naming the field. */
export function checkKind(kind: string): TrackerKind {
  const found = TRACKER_KINDS.find((known) => known === kind);
  if (found) return found;
  throw invalid(`No tracker is "${kind.slice(0, 40)}": choose among ${TRACKER_KINDS.join(', ')}`, 'kind');
}

/** Throws Invalid, naming the field. */
export function checkTracker(
  kind: TrackerKind,
  input: Omit<TrackerInput, 'token'>,
): { name: string; url: string; login: string | null } {
  const words = TRACKER_WORDS[kind];
  const name = input.name.trim() || words.name;
  if (name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name)) {
    throw invalid(`A name has at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  const login = words.login === null ? '' : (input.login?.trim() ?? '');
  if (login.length > LOGIN_CHARACTERS_MAX || /[\p{Cc}:\s]/u.test(login)) {
    throw invalid('Give the e-mail address of the account, or leave it empty', 'login');
  }
  return { name, url: checkUrl(kind, input.url?.trim() ?? ''), login: login || null };
}

/** Throws Invalid. */
export function checkToken(text: string): string {
  const token = text.trim();
  // It becomes part of a header.
  if (token !== '' && token.length <= TOKEN_CHARACTERS_MAX && /^[\x21-\x7e]+$/.test(token)) return token;
  throw invalid('Paste the token as it was shown, without blanks', 'token');
}

function checkUrl(kind: TrackerKind, text: string): string {
  const { url: usual, hasOwnServers, name } = TRACKER_WORDS[kind];
  if (text === '' || !hasOwnServers) {
    if (usual !== null) return usual;
    throw invalid(`Give the address of ${name}, such as https://acme.atlassian.net`, 'url');
  }
  const url = checkWebAddress(text, 'url').replace(/\/+$/, '');
  if (/[?#]/.test(url)) throw invalid('The address has neither "?" nor "#" in it', 'url');
  return url;
}
