import type { DigestedEvent, NormalizedEvent } from '#protocol/event.ts';
import type { Outcome } from '#protocol/outcome.ts';
import { culpritOf } from './culprit.ts';
import { deriveTags } from './derive-tags.ts';
import { groupingHash } from './grouping/grouping-hash.ts';
import { mainException } from './main-exception.ts';
import { normalizeEvent } from './normalize/normalize-event.ts';
import { parseJson } from './parse-json.ts';
import { describeEvent } from './title.ts';

/** The payload of one `event` item with what the edge knows about it. */
export type RawEvent = {
  bytes: Uint8Array;
  envelopeEventId: string | null;
  /** Milliseconds since the epoch by the sender's clock; null when the envelope does not say. */
  sentAtMs: number | null;
  /** Milliseconds since the epoch by the edge's clock. */
  receivedAtMs: number;
  clientIp: string | null;
  /** The User-Agent header that it was delivered with. */
  userAgent: string | null;
  organizationId: number;
  projectId: number;
  keyId: number;
};

export type DigestResult =
  | { kind: 'event'; event: DigestedEvent }
  | {
      kind: 'discarded';
      outcome: Outcome;
      /** Machine-readable. */
      reason: string;
      /** What is wrong, in words, for the sender. */
      detail: string;
    };

/**
 * Understands one event: parse, normalize (the clock rules included), describe, tag, group. Never throws, whatever
 * the bytes are, and gives the same result for the same input: a batch may be digested again.
 */
export function digestEvent(raw: RawEvent): DigestResult {
  const parsed = parseJson(raw.bytes);
  if (parsed.kind === 'unparseable') {
    return { kind: 'discarded', outcome: 'invalid', reason: 'invalid_json', detail: parsed.detail };
  }
  const payload = normalizeEvent(parsed.value, { ...raw, ...parsed });
  const { title, metadata } = describeEvent(payload);
  const event: DigestedEvent = {
    organizationId: raw.organizationId,
    projectId: raw.projectId,
    keyId: raw.keyId,
    eventId: payload.event_id,
    type: payload.type,
    level: payload.level,
    platform: payload.platform,
    occurredAt: Math.round(payload.timestamp * 1000),
    receivedAt: raw.receivedAtMs,
    title,
    culprit: culpritOf(payload),
    message: messageOf(payload),
    metadata,
    groupingHash: groupingHash(payload),
    logger: payload.logger ?? null,
    release: payload.release ?? null,
    dist: payload.dist ?? null,
    environment: payload.environment ?? null,
    transaction: payload.transaction ?? null,
    traceId: traceIdOf(payload),
    user: {
      id: payload.user?.id ?? null,
      email: payload.user?.email ?? null,
      username: payload.user?.username ?? null,
      ip: payload.user?.ip_address ?? null,
    },
    sdk: { name: payload.sdk?.name ?? '', version: payload.sdk?.version ?? '' },
    tags: deriveTags(payload),
    payload,
  };
  return { kind: 'event', event };
}

const messageOf = (event: NormalizedEvent): string =>
  event.logentry?.formatted ?? event.logentry?.message ?? mainException(event)?.value ?? '';

function traceIdOf(event: NormalizedEvent): string | null {
  const id = event.contexts?.trace?.trace_id;
  const text = typeof id === 'string' ? id.toLowerCase().replaceAll('-', '') : '';
  return /^[0-9a-f]{32}$/.test(text) ? text : null;
}
