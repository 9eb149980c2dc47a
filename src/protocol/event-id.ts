const EVENT_ID = /^[0-9a-f]{32}$/;
const DASHED_EVENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NIL_EVENT_ID = '0'.repeat(32);

const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** Reads a UUID of any case, its dashes optional, into 32 lower-case digits; null for anything else. The nil id is one. */
export const parseUuid = (value: unknown): string | null =>
  typeof value === 'string' && UUID.test(value) ? value.toLowerCase().replaceAll('-', '') : null;

/** Reads 32 hex digits of any case, plain or dashed as a UUID, into 32 lower-case digits; null for anything else, also the nil id. */
export function parseEventId(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().toLowerCase();
  const id = DASHED_EVENT_ID.test(text) ? text.replaceAll('-', '') : text;
  return EVENT_ID.test(id) && id !== NIL_EVENT_ID ? id : null;
}
