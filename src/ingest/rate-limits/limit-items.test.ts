import { expect, test } from 'vitest';
import type { Quota } from '#protocol/rate-limits.ts';
import { type LimitableItem, limitItems } from './limit-items.ts';
import { RateLimiter } from './rate-limiter.ts';

const NOW_MS = 1_790_000_000_000;
const quota = (categories: Quota['categories'], limit = 0): Quota => ({
  id: `${categories.join()}:${limit}`,
  scope: 'project',
  ownerId: 1,
  categories,
  limit,
  windowSeconds: 60,
  reasonCode: `${categories.join('_') || 'all'}_full`,
});
const item = (type: string, change: Partial<LimitableItem> = {}): LimitableItem => ({
  type,
  attachmentType: null,
  itemCount: null,
  ...change,
});
const limit = (quotas: readonly Quota[], items: readonly LimitableItem[], rateLimiter = new RateLimiter()) =>
  limitItems(rateLimiter, { quotas }, items, NOW_MS);
const dump = item('attachment', { attachmentType: 'event.minidump' });

test('without a quota everything is kept', () => {
  expect(limit([], [item('event'), item('attachment')])).toEqual({
    kept: [true, true],
    outcomes: [],
    limits: [],
    admitted: [],
  });
});

test('what is limited is refused with an outcome, the rest is kept', () => {
  const result = limit(
    [quota(['log_item'])],
    [item('event'), item('log', { itemCount: 25 }), item('session')],
  );
  expect(result.kept).toEqual([true, false, true]);
  expect(result.outcomes).toEqual([
    { category: 'log_item', outcome: 'rate_limited', reason: 'log_item_full', quantity: 25 },
  ]);
  expect(result.limits).toHaveLength(1);
});

test('attachments and profiles go with the event, for its reason, and are not counted', () => {
  const rateLimiter = new RateLimiter();
  const attachments = quota(['attachment'], 1);
  const result = limit(
    [quota(['error']), attachments],
    [item('attachment'), item('event'), item('profile'), item('session')],
    rateLimiter,
  );
  expect(result.kept).toEqual([false, false, false, true]);
  expect(result.outcomes.map(({ category, reason }) => [category, reason])).toEqual([
    ['attachment', 'error_full'],
    ['error', 'error_full'],
    ['profile', 'error_full'],
  ]);
  expect(limit([attachments], [item('attachment')], rateLimiter).kept).toEqual([true]);
});

test('a limit of attachments leaves the event', () => {
  expect(limit([quota(['attachment'])], [item('event'), item('attachment')]).kept).toEqual([true, false]);
});

test('a crash dump is kept whatever the limit of attachments says: it is the event', () => {
  const result = limit([quota(['attachment'])], [dump, item('attachment')]);
  expect(result.kept).toEqual([true, false]);
  expect(limit([quota(['attachment'])], [item('event'), dump]).kept).toEqual([true, true]);
});

test('a crash dump counts as an error, and goes with it', () => {
  const result = limit([quota(['error'])], [dump, item('attachment')]);
  expect(result.kept).toEqual([false, false]);
  expect(result.outcomes.map(({ category }) => category)).toEqual(['error', 'attachment', 'attachment']);
  const rateLimiter = new RateLimiter();
  const errors = quota(['error'], 1);
  expect(limit([errors], [dump], rateLimiter).kept).toEqual([true]);
  expect(limit([errors], [dump], rateLimiter).kept).toEqual([false]);
});

test('an event with its dump counts once', () => {
  const rateLimiter = new RateLimiter();
  const errors = quota(['error'], 2);
  expect(limit([errors], [item('event'), dump], rateLimiter).kept).toEqual([true, true]);
  expect(limit([errors], [item('event'), dump], rateLimiter).kept).toEqual([true, true]);
  expect(limit([errors], [item('event'), dump], rateLimiter).kept).toEqual([false, false]);
});

test('client reports and unknown items are never limited', () => {
  const result = limit([quota([])], [item('client_report'), item('something_new'), item('check_in')]);
  expect(result.kept).toEqual([true, true, false]);
  expect(result.outcomes).toHaveLength(1);
});

test('an item that was refused by its header stays refused in the next window', () => {
  const early = { quota: quota(['replay']), untilMs: NOW_MS };
  const result = limit([], [item('replay_video', { refusedBy: early }), item('session')]);
  expect(result.kept).toEqual([false, true]);
  expect(result.outcomes).toMatchObject([{ category: 'replay', reason: 'replay_full' }]);
  expect(result.limits).toEqual([early]);
});

test('a container cannot claim more than it could hold', () => {
  const result = limit([quota(['span'])], [item('span', { itemCount: 1e12 })]);
  expect(result.outcomes[0]?.quantity).toBe(10_000);
});
