import { expect, test } from 'vitest';
import { digestFixture, FIXTURES_RECEIVED_AT_MS as RECEIVED_MS } from '../fixtures/digest-fixture.ts';

const RECEIVED = RECEIVED_MS / 1000;
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

function digestAt(timestamp: unknown, sentAtMs: number | null) {
  const breadcrumbs = typeof timestamp === 'number' ? [{ timestamp: timestamp - 10 }, {}] : [];
  const { payload } = digestFixture({ message: 'm', timestamp, breadcrumbs }, { sentAtMs });
  return {
    timestamp: payload.timestamp,
    breadcrumb: payload.breadcrumbs?.values[0]?.timestamp,
    errors: payload.errors?.map((problem) => problem.type) ?? [],
  };
}

test('a clock that is right by less than 55 minutes is believed', () => {
  const sentAtMs = RECEIVED_MS - 55 * MINUTE * 1000 + 1;
  const timestamp = RECEIVED - 54 * MINUTE;
  expect(digestAt(timestamp, sentAtMs)).toEqual({ timestamp, breadcrumb: timestamp - 10, errors: [] });
});

test.each([
  ['behind', -55 * MINUTE],
  ['ahead', 55 * MINUTE],
  ['behind by a year', -365 * DAY],
])('a clock that is 55 minutes or more %s shifts the event and its breadcrumbs', (_, drift) => {
  expect(digestAt(RECEIVED + drift - 5, RECEIVED_MS + drift * 1000)).toEqual({
    timestamp: RECEIVED - 5,
    breadcrumb: RECEIVED - 15,
    errors: ['clock_drift'],
  });
});

test('up to 60 s ahead stays; more moves to when it was received, the breadcrumbs along', () => {
  expect(digestAt(RECEIVED + 60, null)).toMatchObject({ timestamp: RECEIVED + 60, errors: [] });
  expect(digestAt(RECEIVED + 61, null)).toEqual({
    timestamp: RECEIVED,
    breadcrumb: RECEIVED - 10,
    errors: ['future_timestamp'],
  });
});

test('up to 30 days back stays; more moves to when it was received', () => {
  expect(digestAt(RECEIVED - 30 * DAY, null)).toMatchObject({ timestamp: RECEIVED - 30 * DAY, errors: [] });
  expect(digestAt(RECEIVED - 30 * DAY - 1, null)).toEqual({
    timestamp: RECEIVED,
    breadcrumb: RECEIVED - 10,
    errors: ['past_timestamp'],
  });
});

test('the age is judged after the drift is taken out', () => {
  const drift = 40 * DAY;
  expect(digestAt(RECEIVED - drift - 5, RECEIVED_MS - drift * 1000)).toMatchObject({
    timestamp: RECEIVED - 5,
    errors: ['clock_drift'],
  });
});

test('without a readable timestamp it happened when it was received', () => {
  expect(digestAt(undefined, null)).toMatchObject({ timestamp: RECEIVED, errors: [] });
  expect(digestAt('yesterday', null)).toMatchObject({ timestamp: RECEIVED, errors: ['invalid_data'] });
});

test('a senseless time of sending shifts nothing', () => {
  for (const sentAtMs of [Number.NaN, Number.POSITIVE_INFINITY, -1, 8.64e15 + 1]) {
    expect(digestAt(RECEIVED - 5, sentAtMs)).toMatchObject({ timestamp: RECEIVED - 5, errors: [] });
  }
});
