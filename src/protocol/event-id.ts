const EVENT_ID = /^[0-9a-f]{32}$/;
const DASHED_EVENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NIL_EVENT_ID = '0'.repeat(32);

/** Reads 32 hex digits of any case, plain or dashed as a UUID, into 32 lower-case digits; null for anything else, also the nil id. */
export function parseEventId(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().toLowerCase();
  const id = DASHED_EVENT_ID.test(text) ? text.replaceAll('-', '') : text;
  return EVENT_ID.test(id) && id !== NIL_EVENT_ID ? id : null;
}
