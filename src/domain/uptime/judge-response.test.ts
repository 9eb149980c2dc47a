import { expect, test } from 'vitest';
import { judgeResponse } from './judge-response.ts';
import type { UptimeAssertion } from './monitor.ts';

const RESPONSE = {
  statusCode: 200,
  headers: { 'x-cache': 'HIT' },
  body: '{"status":"ok","checks":[{"name":"db","ms":3}],"a b":null}',
  isCut: false,
};
const judge = (assertions: readonly UptimeAssertion[], response = {}) =>
  judgeResponse({ statuses: [{ from: 200, to: 299 }], assertions }, { ...RESPONSE, ...response });

test('a status outside of every range fails, one inside of any passes', () => {
  expect(judge([])).toBeNull();
  expect(judge([], { statusCode: 304 })).toEqual({
    reason: 'status',
    detail: 'The status is 304, expected 200-299',
  });
  const statuses = [
    { from: 200, to: 204 },
    { from: 404, to: 404 },
  ];
  expect(judgeResponse({ statuses, assertions: [] }, { ...RESPONSE, statusCode: 404 })).toBeNull();
  expect(judgeResponse({ statuses, assertions: [] }, { ...RESPONSE, statusCode: 205 })?.detail).toBe(
    'The status is 205, expected 200-204, 404',
  );
});

test.each<[UptimeAssertion, string | null]>([
  [{ kind: 'text', text: '"ok"', isAbsent: false }, null],
  [{ kind: 'text', text: 'OK', isAbsent: false }, 'The body does not contain “OK”'],
  [{ kind: 'text', text: 'error', isAbsent: true }, null],
  [{ kind: 'text', text: 'db', isAbsent: true }, 'The body contains “db”'],
  [{ kind: 'header', name: 'X-Cache', equals: 'HIT' }, null],
  [{ kind: 'header', name: 'x-cache', equals: 'MISS' }, 'The header x-cache is “HIT”, expected “MISS”'],
  [{ kind: 'header', name: 'constructor', equals: null }, 'The header constructor is missing'],
  [{ kind: 'json', path: 'status', equals: 'ok' }, null],
  [{ kind: 'json', path: '$.checks[0].ms', equals: '3' }, null],
  [{ kind: 'json', path: '["a b"]', equals: null }, null],
  [{ kind: 'json', path: 'checks[1].ms', equals: null }, 'The value checks[1].ms is missing'],
  [{ kind: 'json', path: '__proto__', equals: null }, 'The value __proto__ is missing'],
  [{ kind: 'json', path: 'status', equals: 'down' }, 'The value status is “ok”, expected “down”'],
])('%j', (assertion, detail) => {
  expect(judge([assertion])?.detail ?? null).toBe(detail);
});

test('what is no JSON has no values, and a body that is cut says so', () => {
  const json = [{ kind: 'json', path: 'status', equals: null }] as const;
  expect(judge(json, { body: '<html>' })).toEqual({ reason: 'json', detail: 'The body is not JSON' });
  expect(judge(json, { body: '{"a":', isCut: true })?.detail).toBe('The body is too long to be read as JSON');
});
