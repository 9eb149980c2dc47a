import { randomBytes } from 'node:crypto';
import { addressGroup } from '#lib/client-address.ts';
import { ErrataError, invalid } from '#lib/errors.ts';
import { createThrottle } from '#lib/throttle.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { Services } from '#product/services.ts';
import type { OauthClient } from './oauth-store.ts';
import { checkRedirectUri } from './redirect-uri.ts';

const REDIRECTS_MAX = 10;
const NAME_CHARACTERS_MAX = 100;
const NAME_DEFAULT = 'An MCP client';
/** Unused clients are deleted after this time; they come back with their id, so it must be generous. */
const UNUSED_MS = 90 * DAY_MS;
const UNUSED_MAX = 10_000;
/** Anybody may register: so many from one address, then one each minute. */
const registrations = createThrottle({ triesMax: 20, refillMs: MINUTE_MS });

/** Registers a client. Throws Invalid, RateLimited. Source: https://www.rfc-editor.org/rfc/rfc7591 */
export async function registerClient(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  input: { name: string | null; redirectUris: readonly string[]; ipAddress: string | null },
): Promise<OauthClient> {
  if (input.redirectUris.length === 0 || input.redirectUris.length > REDIRECTS_MAX) {
    throw invalid(`Specify 1 to ${REDIRECTS_MAX} redirect URIs`, 'redirect_uris');
  }
  const redirectUris = [...new Set(input.redirectUris.map(checkRedirectUri))];
  const waitSeconds = registrations.take(addressGroup(input.ipAddress));
  if (waitSeconds !== null) {
    throw new ErrataError('rate_limited', 'Too many clients were registered from this IP address', {
      retryAfterSeconds: waitSeconds,
    });
  }
  const client: OauthClient = {
    id: createClientId(),
    name: cleanName(input.name ?? ''),
    redirectUris,
    createdAt: now(),
  };
  await stores.oauth.addClient(client, { sinceMs: now() - UNUSED_MS, max: UNUSED_MAX });
  return client;
}

/** On one line, without what nobody could see. */
function cleanName(text: string): string {
  const name = text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
    .toWellFormed();
  return name || NAME_DEFAULT;
}

const BYTES = 16;
const CLIENT_ID = /^[0-9a-f]{32}$/;

export const createClientId = (): string => randomBytes(BYTES).toString('hex');

/** Whether a program can have been given it; anybody may send anything, also what no database takes as text. */
export const isClientId = (text: string): boolean => CLIENT_ID.test(text);
