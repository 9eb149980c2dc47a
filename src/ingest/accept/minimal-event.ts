import { randomBytes } from 'node:crypto';
import { parseJson } from '#pipeline/parse-json.ts';
import { parseEventId } from '#protocol/event-id.ts';

/** What the edge must know of an event. The rest is digest's. */
export type MinimalEvent = { eventId: string | null; type: string | null };

/** Never throws: digest says what is wrong with a payload that cannot be read. NaN and Infinity are forgiven. */
export function readMinimalEvent(payload: Uint8Array): MinimalEvent {
  const parsed = parseJson(payload);
  if (parsed.kind === 'unparseable') return { eventId: null, type: null };
  const { event_id: id, type } = parsed.value;
  return { eventId: parseEventId(id), type: typeof type === 'string' ? type : null };
}

/** 32 lower-case hex digits. */
export const makeEventId = (): string => randomBytes(16).toString('hex');

/** As native crash reporters want it: with dashes. */
export const dashedEventId = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
