import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import type { TrackerKind } from '../tracker-kinds.ts';

/** What arrived, byte by byte: signatures are over exactly that. */
export type RawHook = { headers: Pick<Headers, 'get'>; body: Uint8Array };

/** A message that says when it was sent is not taken later than that; clocks differ. */
const AGE_MS_MAX = 5 * 60_000;
const ID_CHARACTERS_MAX = 200;

export type VerifiedHook =
  /**
   * One of `deliveryIds` is the same when it is sent again, and also when somebody else sends what was signed under
   * another name: few trackers sign the name too. `event` names what it is about, in the tracker's words.
   */
  | { kind: 'verified'; deliveryIds: readonly string[]; event: string }
  /** `reason` is a sentence for whoever looks into the tracker's log. */
  | { kind: 'refused'; reason: string };

/** Whether a message is of whoever knows the secret, and has not been on its way for long. */
export function verifyHook(kind: TrackerKind, hook: RawHook, secret: string, nowMs: number): VerifiedHook {
  return VERIFY[kind](hook, secret, nowMs);
}

/** Whether there is a signature at all. */
export const isSigned = (kind: TrackerKind, headers: RawHook['headers']): boolean =>
  SIGNATURE_HEADERS[kind].some((name) => headers.get(name) !== null);

const SIGNATURE_HEADERS: Readonly<Record<TrackerKind, readonly string[]>> = {
  github: ['x-hub-signature-256'],
  gitlab: ['x-gitlab-token', 'webhook-signature'],
  jira: ['x-hub-signature'],
  linear: ['linear-signature'],
};

const VERIFY: Readonly<Record<TrackerKind, (hook: RawHook, secret: string, nowMs: number) => VerifiedHook>> =
  {
    /** Source: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
    github({ headers, body }, secret) {
      const expected = `sha256=${hmac(secret, body).toString('hex')}`;
      if (!isEqual(headers.get('x-hub-signature-256'), expected)) return WRONG_SIGNATURE;
      return verified([headers.get('x-github-delivery'), digest(body)], headers.get('x-github-event'));
    },

    /** Source: https://docs.gitlab.com/user/project/integrations/webhooks/#validate-payloads-by-using-a-signing-token */
    gitlab({ headers, body }, secret, nowMs) {
      const event = headers.get('x-gitlab-event');
      if (!secret.startsWith(STANDARD_PREFIX)) {
        // The secret itself: what else is known of the message, only the tracker's TLS says.
        if (!isEqual(headers.get('x-gitlab-token'), secret)) return WRONG_SIGNATURE;
        const name = headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid');
        return verified([name ?? digest(body)], event);
      }
      const id = headers.get('webhook-id');
      const sentAt = headers.get('webhook-timestamp');
      const signed = Buffer.concat([Buffer.from(`${id}.${sentAt}.`), body]);
      const expected = `v1,${hmac(standardKey(secret), signed).toString('base64')}`;
      // Several while a token is being changed for another.
      const signatures = headers.get('webhook-signature')?.split(' ').slice(0, SIGNATURES_MAX) ?? [];
      if (!signatures.some((one) => isEqual(one, expected))) return WRONG_SIGNATURE;
      if (!isRecent(Number(sentAt) * 1_000, nowMs)) return TOO_OLD;
      return verified([id], event);
    },

    /** Source: https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks */
    jira({ headers, body }, secret, nowMs) {
      const expected = `sha256=${hmac(secret, body).toString('hex')}`;
      if (!isEqual(headers.get('x-hub-signature'), expected)) return WRONG_SIGNATURE;
      const { timestamp, webhookEvent } = readObject(body);
      // It is tried again for half an hour, always with the time of what happened.
      if (typeof timestamp === 'number' && !isRecent(timestamp, nowMs, JIRA_AGE_MS_MAX)) return TOO_OLD;
      return verified(
        [headers.get('x-atlassian-webhook-identifier'), digest(body)],
        typeof webhookEvent === 'string' ? webhookEvent : '',
      );
    },

    /** Source: https://linear.app/developers/webhooks#securing-webhooks */
    linear({ headers, body }, secret, nowMs) {
      if (!isEqual(headers.get('linear-signature'), hmac(secret, body).toString('hex')))
        return WRONG_SIGNATURE;
      const { webhookTimestamp, type } = readObject(body);
      if (typeof webhookTimestamp !== 'number' || !isRecent(webhookTimestamp, nowMs)) return TOO_OLD;
      return verified(
        [headers.get('linear-delivery'), digest(body)],
        headers.get('linear-event') ?? (typeof type === 'string' ? type : ''),
      );
    },
  };

const SIGNATURES_MAX = 10;
const JIRA_AGE_MS_MAX = 24 * 60 * 60_000;

const WRONG_SIGNATURE: VerifiedHook = {
  kind: 'refused',
  reason: 'The signature does not match the secret saved in Errata: use the same secret on both sides',
};
const TOO_OLD: VerifiedHook = {
  kind: 'refused',
  reason: 'The message is too old: check the clocks on both sides',
};

const hmac = (key: string | Buffer, data: Uint8Array): Buffer =>
  createHmac('sha256', key).update(data).digest();

/** The same for the same message, whatever it is called: they say when what they are about happened. */
const digest = (body: Uint8Array): string => `body ${hmac('', body).toString('hex')}`;

const STANDARD_PREFIX = 'whsec_';

/** Standard Webhooks writes its key in base64 behind the prefix. Source: https://www.standardwebhooks.com */
const standardKey = (secret: string): Buffer => Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64');

/** In a time that does not depend on where they differ. */
function isEqual(given: string | null, expected: string): boolean {
  if (given === null) return false;
  const key = 'equal';
  return timingSafeEqual(hmac(key, Buffer.from(given)), hmac(key, Buffer.from(expected)));
}

const isRecent = (sentAtMs: number, nowMs: number, ageMsMax = AGE_MS_MAX): boolean =>
  Math.abs(nowMs - sentAtMs) <= ageMsMax;

/** null: it has no such name. */
function verified(names: readonly (string | null)[], event: string | null): VerifiedHook {
  const deliveryIds = names.filter((name) => name !== null);
  if (deliveryIds.length === 0 || deliveryIds.some((name) => name.length > ID_CHARACTERS_MAX)) {
    return {
      kind: 'refused',
      reason: 'The message has no ID of a valid length, so duplicates could not be detected',
    };
  }
  return { kind: 'verified', deliveryIds, event: event ?? '' };
}

function readObject(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = parseBoundedJson(Buffer.from(body).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
