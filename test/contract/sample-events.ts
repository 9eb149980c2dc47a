import { createHash, randomBytes } from 'node:crypto';
import type { DigestedEvent } from '#protocol/event.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';

/** 2026-03-01T12:00:00Z, an arbitrary hour to count from. */
export const NOON_MS = Date.UTC(2026, 2, 1, 12);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const newEventId = (): string => randomBytes(16).toString('hex');

export const hashOf = (text: string): string => createHash('md5').update(text).digest('hex');

/** Characters that quoting, patterns and encodings get wrong. */
export const HOSTILE_TEXT = `it's "100%" \\ under_score \\' {x:String} $1 ; -- /* 😀 é \t \n end`;

/** An event at noon; everything can be set. */
export function makeEvent(
  overrides: Partial<DigestedEvent> & Pick<DigestedEvent, 'organizationId' | 'projectId'>,
): DigestedEvent {
  const eventId = overrides.eventId ?? newEventId();
  const occurredAt = overrides.occurredAt ?? NOON_MS;
  const receivedAt = overrides.receivedAt ?? occurredAt;
  return {
    keyId: 1,
    type: 'error',
    level: 'error',
    platform: 'javascript',
    title: 'TypeError: x is undefined',
    culprit: 'applyCoupon(checkout/cart)',
    message: 'x is undefined',
    metadata: { type: 'TypeError', value: 'x is undefined' },
    groupingHash: hashOf('default'),
    logger: null,
    release: null,
    dist: null,
    environment: null,
    transaction: null,
    traceId: null,
    user: { id: null, email: null, username: null, ip: null },
    sdk: { name: 'sentry.javascript.browser', version: '11.1.0' },
    tags: [['level', 'error']],
    hasBody: true,
    groupingHashes: [overrides.groupingHash ?? hashOf('default')],
    payload: {
      event_id: eventId,
      type: 'error',
      level: 'error',
      platform: 'javascript',
      timestamp: occurredAt / 1000,
      received: receivedAt / 1000,
    },
    ...overrides,
    eventId,
    occurredAt,
    receivedAt,
  };
}

/** One accepted error per event, as the digest counts them. */
export const acceptedOutcomes = (events: readonly DigestedEvent[]): OutcomeCount[] =>
  events.map((event) => ({
    organizationId: event.organizationId,
    projectId: event.projectId,
    keyId: event.keyId,
    at: event.receivedAt,
    category: 'error',
    outcome: 'accepted',
    reason: '',
    quantity: 1,
  }));
