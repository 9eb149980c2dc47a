import { expect, test } from 'vitest';
import { parseEventId } from '#protocol/event-id.ts';
import { buildTestEvent } from './send-test-event.ts';

test('a test event is an envelope with one event whose length and id are true', () => {
  const { eventId, envelope } = buildTestEvent(Date.UTC(2026, 0, 1));
  const [header = '', itemHeader = '', payload = '', rest] = new TextDecoder().decode(envelope).split('\n');
  expect(parseEventId(eventId)).toBe(eventId);
  expect(JSON.parse(header)).toEqual({ event_id: eventId, sent_at: '2026-01-01T00:00:00.000Z' });
  expect(JSON.parse(itemHeader)).toEqual({ type: 'event', length: Buffer.byteLength(payload) });
  expect(JSON.parse(payload)).toMatchObject({ event_id: eventId, timestamp: Date.UTC(2026, 0, 1) / 1_000 });
  expect(rest).toBe('');
});

test('no two test events have the same id', () => {
  expect(buildTestEvent(0).eventId).not.toBe(buildTestEvent(0).eventId);
});
