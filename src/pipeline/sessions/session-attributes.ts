import { cutText, toSafeText } from '../normalize/safe-text.ts';

const RELEASE_CHARS_MAX = 250;
const ENVIRONMENT_CHARS_MAX = 64;
const USER_AGENT_CHARS_MAX = 512;
/** What neither a release nor an environment may hold: they stand in addresses. */
const BAD_CHARACTERS = /[\\/\r\n\t\f]/;
const RESTRICTED_RELEASES: ReadonlySet<string> = new Set(['.', '..', 'latest']);
const RESTRICTED_ENVIRONMENTS: ReadonlySet<string> = new Set(['.', '..', 'none']);

/** What an SDK says of the program that sessions belong to. */
export type SessionAttributes = {
  release: string;
  environment: string | null;
  userAgent: string | null;
  /** As sent: an address, `{{auto}}`, or nothing that can be read. */
  ipAddress: string | null;
};

/**
 * Reads `attrs`. null without a valid release: a session that belongs to no release says nothing. An invalid environment
 * is left out. Sources: `normalize_attributes` in relay-server/src/processing/sessions/process.rs; sentry-release-parser.
 */
export function readSessionAttributes(attrs: Readonly<Record<string, unknown>>): SessionAttributes | null {
  const release = textOf(attrs.release);
  if (release === null || !isValid(release, RELEASE_CHARS_MAX, RESTRICTED_RELEASES)) return null;
  const environment = textOf(attrs.environment);
  const userAgent = textOf(attrs.user_agent);
  return {
    release: toSafeText(release),
    environment:
      environment !== null && isValid(environment, ENVIRONMENT_CHARS_MAX, RESTRICTED_ENVIRONMENTS)
        ? toSafeText(environment)
        : null,
    userAgent: userAgent === null ? null : toSafeText(cutText(userAgent, USER_AGENT_CHARS_MAX)),
    ipAddress: textOf(attrs.ip_address),
  };
}

/** Trimmed; null when it is no text, or empty. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.trim() || null;
}

const isValid = (name: string, charsMax: number, restricted: ReadonlySet<string>): boolean =>
  name.length <= charsMax && !BAD_CHARACTERS.test(name) && !restricted.has(name.toLowerCase());
