import { parseEventId } from '#protocol/event-id.ts';

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
