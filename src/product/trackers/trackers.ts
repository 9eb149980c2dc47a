import { randomBytes } from 'node:crypto';
import type { OpenTracker, TrackerAccess } from '#delivery/ports/tracker-client.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { checkWebAddress } from '#lib/web-address.ts';
import { userIdOf } from '#product/acting-user.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { requireSharedObjectWrite } from '#product/shared-objects.ts';
import { TRACKER_KINDS, TRACKER_LABELS, type TrackerKind } from './tracker-kinds.ts';
import type { Tracker } from './tracker-store.ts';

export type TrackerRow = Tracker & {
  /** Where it sends its webhooks to. */
  hookUrl: string;
};

/** Trackers of the organization, by name. */
export async function listTrackers(ctx: Context): Promise<readonly TrackerRow[]> {
  requireRight(ctx, 'event:read');
  const trackers = await ctx.stores.trackers.list(ctx.organization.id);
  return trackers.map((tracker) => ({ ...tracker, hookUrl: hookUrlOf(ctx, tracker) }));
}

export const hookUrlOf = ({ publicUrl, organization }: Context, { kind, id }: Tracker): string =>
  `${publicUrl}/api/hooks/${organization.slug}/${kind}/${id}`;

export const trackerNotFound = ({ organization }: Context, trackerId: number) =>
  notFound(`${organization.slug} has no tracker ${trackerId}: it may have been disconnected`);

const TRACKERS_MAX = 50;
const HOOK_SECRET_BYTES = 32;
const HOOK_SECRET_CHARACTERS_MIN = 16;
const HOOK_SECRET_CHARACTERS_MAX = 200;

/**
 * Connects a tracker, once it has accepted the token. Answers the secret of its webhook, which cannot be shown a second
 * time. Throws Invalid, and Conflict for a name that is taken.
 */
export async function connectTracker(
  ctx: Context,
  openTracker: OpenTracker,
  input: TrackerInput & { kind: string },
): Promise<{ tracker: TrackerRow; hookSecret: string }> {
  requireSharedObjectWrite(ctx);
  const { trackers } = ctx.stores;
  const kind = checkKind(input.kind);
  const draft = checkTracker(kind, input);
  const token = checkToken(input.token);
  if ((await trackers.list(ctx.organization.id)).length >= TRACKERS_MAX) {
    throw invalid(
      `${ctx.organization.slug} already has ${TRACKERS_MAX} trackers: disconnect some first`,
      'name',
    );
  }
  const account = await askWhoItIs(openTracker, { kind, ...draft, token });
  const hookSecret = newHookSecret();
  const tracker = await audited(
    ctx,
    (ctx) =>
      ctx.stores.trackers.add(
        ctx.organization.id,
        { kind, ...draft, account },
        { token, hookSecret },
        userIdOf(ctx),
        ctx.now(),
      ),
    (added) => ({
      action: 'integration.add',
      target: trackerTarget(added),
      data: { kind, url: draft.url, account },
    }),
  );
  return { tracker: { ...tracker, hookUrl: hookUrlOf(ctx, tracker) }, hookSecret };
}

/**
 * Changes name, address and token; an empty token stays as it is, which another address or account does not allow: it
 * would be sent to whoever listens there. Throws Invalid, NotFound, Conflict.
 */
export async function updateTracker(
  ctx: Context,
  openTracker: OpenTracker,
  { trackerId, ...input }: TrackerInput & { trackerId: number },
): Promise<Tracker> {
  requireSharedObjectWrite(ctx);
  const { trackers } = ctx.stores;
  const before = await trackers.find(ctx.organization.id, trackerId);
  if (!before) throw trackerNotFound(ctx, trackerId);
  const draft = checkTracker(before.kind, input);
  const token = input.token.trim() === '' ? null : checkToken(input.token);
  if (token === null && (draft.url !== before.url || draft.login !== before.login)) {
    throw invalid(
      'Paste a token for the new URL: the current token is only sent to its original URL',
      'token',
    );
  }
  const account =
    token === null ? before.account : await askWhoItIs(openTracker, { kind: before.kind, ...draft, token });
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.trackers.update(ctx.organization.id, trackerId, {
        ...draft,
        account,
        token,
      });
      if (!updated) throw trackerNotFound(ctx, trackerId);
      return updated;
    },
    (updated) => ({
      action: 'integration.edit',
      target: trackerTarget(updated),
      data: { url: draft.url, account, hasNewToken: token !== null },
    }),
  );
}

/**
 * Takes a secret for the webhook in place of the one before: `given`, as the tracker made it, else a new one. Answers it,
 * which cannot be shown a second time. Throws Invalid, NotFound.
 */
export async function setHookSecret(
  ctx: Context,
  { trackerId, given }: { trackerId: number; given: string | null },
): Promise<{ hookSecret: string }> {
  requireSharedObjectWrite(ctx);
  const { trackers } = ctx.stores;
  const tracker = await trackers.find(ctx.organization.id, trackerId);
  if (!tracker) throw trackerNotFound(ctx, trackerId);
  const hookSecret = given === null ? newHookSecret() : checkHookSecret(given, tracker);
  await audited(
    ctx,
    (ctx) => ctx.stores.trackers.setHookSecret(ctx.organization.id, trackerId, hookSecret),
    () => ({ action: 'integration.edit', target: trackerTarget(tracker), data: { hasNewHookSecret: true } }),
  );
  return { hookSecret };
}

/** Issues stay linked by their addresses, and their state is not known any more. Throws NotFound. */
export async function disconnectTracker(ctx: Context, trackerId: number): Promise<void> {
  requireSharedObjectWrite(ctx);
  await audited(
    ctx,
    async (ctx) => {
      const tracker = await ctx.stores.trackers.find(ctx.organization.id, trackerId);
      if (!tracker || !(await ctx.stores.trackers.remove(ctx.organization.id, trackerId))) {
        throw trackerNotFound(ctx, trackerId);
      }
      return tracker;
    },
    (tracker) => ({ action: 'integration.remove', target: trackerTarget(tracker) }),
  );
}

async function askWhoItIs(openTracker: OpenTracker, access: TrackerAccess): Promise<string> {
  const answer = await openTracker(access).whoAmI();
  if (answer.kind === 'done') return answer.value.name;
  throw invalid(answer.reason, answer.isDenied ? 'token' : 'url');
}

const newHookSecret = (): string => randomBytes(HOOK_SECRET_BYTES).toString('base64url');

function checkHookSecret(text: string, { kind }: Tracker): string {
  const secret = text.trim();
  const fits =
    secret.length >= HOOK_SECRET_CHARACTERS_MIN &&
    secret.length <= HOOK_SECRET_CHARACTERS_MAX &&
    /^[\x21-\x7e]+$/.test(secret);
  if (fits) return secret;
  throw invalid(
    `Paste the secret as ${TRACKER_LABELS[kind].name} shows it: ${HOOK_SECRET_CHARACTERS_MIN} characters or more`,
    'hookSecret',
  );
}

const trackerTarget = ({ id, name }: Tracker): AuditedChange['target'] => ({ kind: 'integration', id, name });

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
  throw invalid(
    `"${kind.slice(0, 40)}" is not a supported tracker: choose one of ${TRACKER_KINDS.join(', ')}`,
    'kind',
  );
}

/** Throws Invalid, naming the field. */
export function checkTracker(
  kind: TrackerKind,
  input: Omit<TrackerInput, 'token'>,
): { name: string; url: string; login: string | null } {
  const words = TRACKER_LABELS[kind];
  const name = input.name.trim() || words.name;
  if (name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name)) {
    throw invalid(`A name can have at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  const login = words.login === null ? '' : (input.login?.trim() ?? '');
  if (login.length > LOGIN_CHARACTERS_MAX || /[\p{Cc}:\s]/u.test(login)) {
    throw invalid("Enter the account's email address, or leave it empty", 'login');
  }
  return { name, url: checkUrl(kind, input.url?.trim() ?? ''), login: login || null };
}

/** Throws Invalid. */
export function checkToken(text: string): string {
  const token = text.trim();
  // It becomes part of a header.
  if (token !== '' && token.length <= TOKEN_CHARACTERS_MAX && /^[\x21-\x7e]+$/.test(token)) return token;
  throw invalid('Paste the token as it was shown, without spaces', 'token');
}

function checkUrl(kind: TrackerKind, text: string): string {
  const { url: usual, hasOwnServers, name } = TRACKER_LABELS[kind];
  if (text === '' || !hasOwnServers) {
    if (usual !== null) return usual;
    throw invalid(`Enter the URL of ${name}, such as https://acme.atlassian.net`, 'url');
  }
  const url = checkWebAddress(text, 'url').replace(/\/+$/, '');
  if (/[?#]/.test(url)) throw invalid('The URL cannot contain "?" or "#"', 'url');
  return url;
}
