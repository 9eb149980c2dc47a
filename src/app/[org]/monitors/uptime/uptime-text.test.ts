import { expect, test } from 'vitest';
import {
  readAssertions,
  readHeaders,
  readStatuses,
  readWindows,
  writeAssertions,
  writeHeaders,
  writeWindows,
} from './uptime-text.ts';

test('assertions are what they were written as', () => {
  const text = [
    'body contains All systems go',
    'body does not contain error',
    'json data.items[0].id',
    'json status = ok = fine',
    'header X-Cache = HIT',
    'header etag',
  ].join('\n');
  expect(readAssertions(text)).toEqual([
    { kind: 'text', text: 'All systems go', isAbsent: false },
    { kind: 'text', text: 'error', isAbsent: true },
    { kind: 'json', path: 'data.items[0].id', equals: null },
    { kind: 'json', path: 'status', equals: 'ok = fine' },
    { kind: 'header', name: 'X-Cache', equals: 'HIT' },
    { kind: 'header', name: 'etag', equals: null },
  ]);
  expect(writeAssertions(readAssertions(text))).toBe(text);
});

test('windows are what they were written as', () => {
  const text = '2026-12-01 22:00 to 2026-12-02 02:00\nSunday 02:30 for 90 min';
  expect(readWindows(text)).toEqual([
    { kind: 'once', fromMs: Date.UTC(2026, 11, 1, 22), toMs: Date.UTC(2026, 11, 2, 2) },
    { kind: 'weekly', weekday: 0, startMinute: 150, minutes: 90 },
  ]);
  expect(writeWindows(readWindows(text))).toBe(text);
  expect(readWindows('2026-12-01 22:00 - 23:30')).toEqual([
    { kind: 'once', fromMs: Date.UTC(2026, 11, 1, 22), toMs: Date.UTC(2026, 11, 1, 23, 30) },
  ]);
});

test('a header without a value keeps what is saved', () => {
  expect(readHeaders('Authorization: Bearer a:b\n\nX-Token:\nX-Other')).toEqual({
    Authorization: 'Bearer a:b',
    'X-Token': null,
    'X-Other': null,
  });
  expect(readHeaders(writeHeaders(['X-Token']))).toEqual({ 'X-Token': null });
});

test('status codes are single ones and ranges', () => {
  expect(readStatuses('200-299, 404')).toEqual([
    { from: 200, to: 299 },
    { from: 404, to: 404 },
  ]);
});

test.each([
  [readAssertions, 'body is fine', 'assertions'],
  [readWindows, 'Someday 02:00 for 90 min', 'maintenance'],
  [readWindows, '2026-13-01 22:00 to 23:00', 'maintenance'],
  [readStatuses, '2xx', 'statuses'],
  [readHeaders, 'A: 1\na: 2', 'headers'],
])('%o says which line of %j cannot be read', (read, text, field) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'invalid', field }));
});
