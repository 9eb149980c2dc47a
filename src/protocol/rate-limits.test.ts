import { expect, test } from 'vitest';
import { formatRateLimits, type Quota, retryAfterSeconds } from './rate-limits.ts';

const quota = (change: Partial<Quota> = {}): Quota => ({
  id: 'q',
  scope: 'key',
  ownerId: 1,
  categories: [],
  limit: 1,
  windowSeconds: 60,
  reasonCode: 'key_quota',
  ...change,
});
const limit = (change: Partial<Quota>, untilMs: number) => ({ quota: quota(change), untilMs });

test('a limit is written as seconds, categories, scope and reason', () => {
  expect(formatRateLimits([limit({ categories: ['error', 'transaction'] }, 60_000)], 0)).toBe(
    '60:error;transaction:key:key_quota',
  );
});

test('no categories means all of them', () => {
  expect(formatRateLimits([limit({ scope: 'organization', reasonCode: 'org_quota' }, 3_600_000)], 0)).toBe(
    '3600::organization:org_quota',
  );
});

test('several limits are separated, and those of the same reach are one: the longest', () => {
  const limits = [
    limit({ id: 'a', categories: ['log_item'] }, 10_000),
    limit({ id: 'b', categories: ['log_item'], reasonCode: 'other' }, 20_000),
    limit({ id: 'c', categories: ['log_item'], scope: 'project', reasonCode: 'project_quota' }, 5_000),
    limit({ id: 'd', categories: ['log_item'] }, 15_000),
  ];
  expect(formatRateLimits(limits, 0)).toBe('20:log_item:key:other, 5:log_item:project:project_quota');
  expect(retryAfterSeconds(limits, 0)).toBe(20);
});

test('seconds are rounded up and never negative', () => {
  expect(formatRateLimits([limit({}, 1_001)], 0)).toBe('2::key:key_quota');
  expect(formatRateLimits([limit({}, 1_000)], 0)).toBe('1::key:key_quota');
  expect(formatRateLimits([limit({}, 1_000)], 5_000)).toBe('0::key:key_quota');
  expect(retryAfterSeconds([limit({}, 59_001)], 0)).toBe(60);
});

test('categories have the names that SDKs know', () => {
  expect(formatRateLimits([limit({ categories: ['feedback', 'statsd', 'user_report_v2'] }, 1_000)], 0)).toBe(
    '1:feedback;metric_bucket:key:key_quota',
  );
});

test('nothing limited is an empty value', () => {
  expect(formatRateLimits([], 0)).toBe('');
  expect(retryAfterSeconds([], 0)).toBeNull();
});
