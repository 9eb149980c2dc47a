import { createHash } from 'node:crypto';
import { parseEventId } from '#protocol/event-id.ts';
import type { TelemetryOrigin } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';

export const originOf = (context: ItemContext): TelemetryOrigin => ({
  organizationId: context.organizationId,
  projectId: context.projectId,
  keyId: context.keyId,
  receivedAt: context.receivedAtMs,
});

/** The same element of the same item has the same id, however often it is digested. */
export const rowIdOf = (itemId: string, index: number): string =>
  createHash('md5').update(`${itemId}:${index}`).digest('hex');

const SPAN_ID = /^[0-9a-f]{16}$/;
const NIL_SPAN_ID = '0'.repeat(16);

/** 32 hex digits, plain or dashed, as 32 lower-case digits; null for anything else, also for the nil id. */
export const parseTraceId = parseEventId;

/** 16 hex digits as 16 lower-case digits; null for anything else, also for the nil id. */
export function parseSpanId(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const id = value.trim().toLowerCase();
  return SPAN_ID.test(id) && id !== NIL_SPAN_ID ? id : null;
}
