import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeyAdmission } from '#domain/projects.ts';
import { createLog } from '#lib/log.ts';
import { CATEGORIES } from '#protocol/outcome.ts';
import { type Quota, windowStartMs } from '#protocol/rate-limits.ts';
import { CounterRestorer, RateLimiter } from './rate-limiter.ts';

const quota = (change: Partial<Quota> = {}): Quota => ({
  id: 'q',
  scope: 'key',
  ownerId: 1,
  categories: [],
  limit: 2,
  windowSeconds: 60,
  reasonCode: 'key_quota',
  ...change,
});
const NOON_MS = 1_790_000_000_000 - (1_790_000_000_000 % 86_400_000) + 43_200_000;
const error = { category: 'error', quantity: 1 } as const;

test('a window lets its limit in, refuses the rest, and begins anew by the clock', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota()] };
  expect(rateLimiter.admit(key, [error, error, error], NOON_MS + 10_500)).toMatchObject({
    allowed: [true, true, false],
    limits: [{ quota: { id: 'q' }, untilMs: NOON_MS + 60_000 }],
  });
  expect(rateLimiter.admit(key, [error], NOON_MS + 59_999).allowed).toEqual([false]);
  expect(rateLimiter.admit(key, [error], NOON_MS + 60_000).allowed).toEqual([true]);
});

test('a clock that is set back does not hold a limit for as long as that', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota()] };
  rateLimiter.admit(key, [error, error], NOON_MS);
  expect(rateLimiter.admit(key, [error], NOON_MS - 3 * 3_600_000).allowed).toEqual([true]);
});

test('what is refused does not count, and quantities are not split', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota({ limit: 10, categories: ['log_item'] })] };
  const logs = (quantity: number) => ({ category: 'log_item', quantity }) as const;
  expect(rateLimiter.admit(key, [logs(8), logs(3), logs(2), logs(1)], NOON_MS).allowed).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('an item counts in every quota it falls under, or in none', () => {
  const rateLimiter = new RateLimiter();
  const key = {
    quotas: [
      quota({ id: 'all', limit: 2 }),
      quota({ id: 'errors', limit: 1, categories: ['error'], scope: 'project', windowSeconds: 3_600 }),
    ],
  };
  const session = { category: 'session', quantity: 1 } as const;
  const result = rateLimiter.admit(key, [error, error, session, session], NOON_MS);
  expect(result.allowed).toEqual([true, false, true, false]);
  expect(result.refusedBy.map((limit) => limit?.quota.id ?? null)).toEqual([null, 'errors', null, 'all']);
});

test('of several limits that refuse, the longest is the reason', () => {
  const rateLimiter = new RateLimiter();
  const key = {
    quotas: [
      quota({ id: 'minute', limit: 1 }),
      quota({ id: 'day', limit: 1, windowSeconds: 86_400 }),
      quota({ id: 'hour', limit: 1, windowSeconds: 3_600 }),
    ],
  };
  rateLimiter.admit(key, [error], NOON_MS);
  expect(rateLimiter.admit(key, [error], NOON_MS).limits).toMatchObject([
    { quota: { id: 'day' }, untilMs: NOON_MS + 43_200_000 },
  ]);
});

test('keys of one project share its counter, other projects do not', () => {
  const rateLimiter = new RateLimiter();
  const shared = quota({ id: 'project:7', scope: 'project', limit: 1 });
  expect(rateLimiter.admit({ quotas: [shared] }, [error], NOON_MS).allowed).toEqual([true]);
  expect(rateLimiter.admit({ quotas: [{ ...shared }] }, [error], NOON_MS).allowed).toEqual([false]);
  expect(rateLimiter.admit({ quotas: [{ ...shared, id: 'project:8' }] }, [error], NOON_MS).allowed).toEqual([
    true,
  ]);
});

test('a limit that is raised or lowered within a window goes on from what was counted', () => {
  const rateLimiter = new RateLimiter();
  rateLimiter.admit({ quotas: [quota({ limit: 2 })] }, [error, error], NOON_MS);
  expect(rateLimiter.admit({ quotas: [quota({ limit: 3 })] }, [error, error], NOON_MS).allowed).toEqual([
    true,
    false,
  ]);
  expect(rateLimiter.admit({ quotas: [quota({ limit: 1 })] }, [error], NOON_MS).allowed).toEqual([false]);
});

test('a limit of 0 refuses everything, and tells senders to ask again after a minute', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota({ limit: 0, windowSeconds: 86_400 })] };
  expect(rateLimiter.admit(key, [error], NOON_MS)).toMatchObject({
    allowed: [false],
    limits: [{ untilMs: NOON_MS + 60_000 }],
  });
  expect(rateLimiter.activeLimits(key, NOON_MS)).toHaveLength(1);
});

test('a limit is active from when it is used up until its window ends', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota({ limit: 1, categories: ['error'] })] };
  expect(rateLimiter.activeLimits(key, NOON_MS)).toEqual([]);
  rateLimiter.admit(key, [error], NOON_MS);
  expect(rateLimiter.activeLimits(key, NOON_MS)).toMatchObject([{ untilMs: NOON_MS + 60_000 }]);
  expect(rateLimiter.findRefusal(key, 'error', NOON_MS)).not.toBeNull();
  expect(rateLimiter.findRefusal(key, 'session', NOON_MS)).toBeNull();
  expect(rateLimiter.activeLimits(key, NOON_MS + 60_000)).toEqual([]);
  expect(rateLimiter.findRefusal(key, 'error', NOON_MS + 60_000)).toBeNull();
});

test('one large container that does not fit leaves the room to others', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota({ limit: 10 })] };
  expect(rateLimiter.admit(key, [{ category: 'log_item', quantity: 100 }], NOON_MS).allowed).toEqual([false]);
  expect(rateLimiter.activeLimits(key, NOON_MS)).toEqual([]);
  expect(rateLimiter.admit(key, [error], NOON_MS).allowed).toEqual([true]);
});

test('what is given back is let in again, in its own window alone', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota({ categories: ['error'] })] };
  rateLimiter.admit(key, [error, error], NOON_MS);
  rateLimiter.giveBack(key, [{ category: 'session', quantity: 2 }], NOON_MS);
  expect(rateLimiter.admit(key, [error], NOON_MS).allowed).toEqual([false]);
  rateLimiter.giveBack(key, [error], NOON_MS);
  expect(rateLimiter.admit(key, [error, error], NOON_MS).allowed).toEqual([true, false]);
  rateLimiter.admit(key, [error, error], NOON_MS + 60_000);
  rateLimiter.giveBack(key, [error], NOON_MS);
  expect(rateLimiter.admit(key, [error], NOON_MS + 60_000).allowed).toEqual([false]);
});

test('what others were told of and is given back is told as less, and counted once with theirs', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota({ limit: 10 })] };
  rateLimiter.admit(key, [{ category: 'error', quantity: 4 }], NOON_MS);
  const windowEndMs = NOON_MS + 60_000;
  expect(rateLimiter.listAdded(9)).toEqual([{ key: 'q', windowEndMs, added: 4 }]);
  rateLimiter.learn({ key: 'q', windowEndMs, added: 4 }, 8);
  rateLimiter.giveBack(key, [{ category: 'error', quantity: 3 }], NOON_MS);
  expect(rateLimiter.listAdded(9)).toEqual([{ key: 'q', windowEndMs, added: -3 }]);
  rateLimiter.learn({ key: 'q', windowEndMs, added: -3 }, 5);
  expect(rateLimiter.listAdded(9)).toEqual([]);
  expect(rateLimiter.admit(key, [{ category: 'error', quantity: 5 }, error], NOON_MS).allowed).toEqual([
    true,
    false,
  ]);
});

test('what was counted before a restart is gone on from', () => {
  const rateLimiter = new RateLimiter();
  const day = quota({ limit: 100, windowSeconds: 86_400 });
  rateLimiter.restore(day, 99, NOON_MS);
  expect(rateLimiter.admit({ quotas: [day] }, [error, error], NOON_MS).allowed).toEqual([true, false]);
});

test('the number of counters is bounded: passed windows go first, then the oldest', () => {
  const rateLimiter = new RateLimiter(2);
  const minute = quota({ id: 'minute', limit: 1 });
  const [a, b, c] = ['a', 'b', 'c'].map((id) => quota({ id, limit: 1, windowSeconds: 86_400 }));
  const admit = (each: Quota | undefined, nowMs: number) =>
    rateLimiter.admit({ quotas: [each!] }, [error], nowMs).allowed[0];
  expect(admit(a, NOON_MS)).toBe(true);
  expect(admit(minute, NOON_MS)).toBe(true);
  // The minute has passed: it makes room, and the counter of a stays.
  expect(admit(b, NOON_MS + 60_000)).toBe(true);
  expect(admit(a, NOON_MS + 60_000)).toBe(false);
  // Nothing has passed: the oldest begins anew.
  expect(admit(c, NOON_MS + 60_001)).toBe(true);
  expect(admit(b, NOON_MS + 60_001)).toBe(false);
  expect(admit(a, NOON_MS + 60_001)).toBe(true);
});

test('no window of any quota ever holds more than its limit, and nothing is refused without a full one', () => {
  const quotas = fc.uniqueArray(
    fc.record({
      categories: fc.uniqueArray(fc.constantFrom(...CATEGORIES.slice(0, 4)), { maxLength: 2 }),
      limit: fc.integer({ min: 0, max: 12 }),
      windowSeconds: fc.constantFrom(1, 7, 60),
    }),
    { maxLength: 4, selector: ({ categories, windowSeconds }) => `${windowSeconds} ${categories.join()}` },
  );
  const sends = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 4_000 }),
      category: fc.constantFrom(...CATEGORIES.slice(0, 4)),
      quantity: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(quotas, sends, (drafts, requests) => {
      const key = { quotas: drafts.map((draft, index) => quota({ ...draft, id: String(index) })) };
      const rateLimiter = new RateLimiter();
      const counted = new Map<string, number>();
      let nowMs = NOON_MS + 123;
      for (const { afterMs, category, quantity } of requests) {
        nowMs += afterMs;
        const at = nowMs;
        const matching = key.quotas.filter(
          ({ categories }) => categories.length === 0 || categories.includes(category),
        );
        const nameOf = (each: Quota) => `${each.id} ${windowStartMs(each, at)}`;
        const fits = matching.every((each) => (counted.get(nameOf(each)) ?? 0) + quantity <= each.limit);
        const [allowed] = rateLimiter.admit(key, [{ category, quantity }], at).allowed;
        expect(allowed).toBe(fits);
        if (!allowed) continue;
        for (const each of matching) {
          counted.set(nameOf(each), (counted.get(nameOf(each)) ?? 0) + quantity);
        }
      }
    }),
  );
});

const log = createLog('test', 'error');
const NOW_MS = 1_790_000_000_000;
const DAY_START_MS = NOW_MS - (NOW_MS % 86_400_000);
const quotaOf = (id: string, windowSeconds: number): Quota => ({
  id,
  scope: 'organization',
  ownerId: 1,
  categories: [],
  limit: 100,
  windowSeconds,
  reasonCode: 'org_quota',
});
const key = (quotas: readonly Quota[]): KeyAdmission => ({
  keyId: 1,
  projectId: 1,
  organizationId: 1,
  publicKey: 'a'.repeat(32),
  isActive: true,
  isInternal: false,
  quotas,
});

/** How many errors the quota still lets in. */
function room(rateLimiter: RateLimiter, each: Quota): number {
  let count = 0;
  while (rateLimiter.admit({ quotas: [each] }, [{ category: 'error', quantity: 1 }], NOW_MS).allowed[0])
    count += 1;
  return count;
}

test('long windows go on from what was accepted, once per quota; short ones begin anew', async () => {
  const [day, minute] = [quotaOf('day', 86_400), quotaOf('minute', 60)];
  const asked: unknown[] = [];
  const rateLimiter = new RateLimiter();
  const restorer = new CounterRestorer(
    rateLimiter,
    {
      countAccepted: async (quotas) => {
        asked.push(...quotas.map((each) => [each.quota.id, each.fromMs]));
        return quotas.map(() => 30);
      },
    },
    log,
  );
  await restorer.restore([key([day, minute]), key([day])], NOW_MS);
  await restorer.restore([key([day])], NOW_MS);
  expect(asked).toEqual([['day', DAY_START_MS]]);
  expect(room(rateLimiter, day)).toBe(70);
  expect(room(rateLimiter, minute)).toBe(100);
});

test('while the store is away limits begin at zero, and are made up for as soon as it is back', async () => {
  const day = quotaOf('day', 86_400);
  const rateLimiter = new RateLimiter();
  let isAway = true;
  const restorer = new CounterRestorer(
    rateLimiter,
    {
      countAccepted: async () => {
        if (isAway) throw new Error('away');
        return [40];
      },
    },
    log,
  );
  await restorer.restore([key([day])], NOW_MS);
  rateLimiter.admit({ quotas: [day] }, [{ category: 'error', quantity: 10 }], NOW_MS);
  isAway = false;
  await restorer.restore([key([day])], NOW_MS);
  expect(room(rateLimiter, day)).toBe(50);
});

test('edges that tell each other what they let in have one limit, apart from what came meanwhile', () => {
  const [one, other] = [new RateLimiter(), new RateLimiter()];
  const key = { quotas: [quota({ limit: 10 })] };
  const admitted = (rateLimiter: RateLimiter, items: number) =>
    rateLimiter.admit(key, Array(items).fill(error), NOON_MS).allowed.filter(Boolean).length;
  expect([admitted(one, 4), admitted(other, 3)]).toEqual([4, 3]);
  let total = 0;
  const exchange = (rateLimiter: RateLimiter, meanwhile = 0) => {
    for (const added of rateLimiter.listAdded(10)) {
      total += added.added;
      admitted(rateLimiter, meanwhile);
      rateLimiter.learn(added, total);
    }
  };
  exchange(one);
  exchange(other, 1);
  expect(total).toBe(7);
  // It knows of 8: its own 4, and 4 of the first.
  expect(admitted(other, 9)).toBe(2);
  exchange(other);
  expect(total).toBe(10);
  expect(admitted(one, 1)).toBe(1);
  exchange(one);
  expect(total).toBe(11);
  expect([admitted(one, 1), admitted(other, 1)]).toEqual([0, 0]);
  expect(one.listAdded(10)).toEqual([]);
});

test('what others let in in a window that is over counts for nothing', () => {
  const rateLimiter = new RateLimiter();
  const key = { quotas: [quota()] };
  rateLimiter.admit(key, [error], NOON_MS);
  const [added] = rateLimiter.listAdded(10);
  rateLimiter.admit(key, [error], NOON_MS + 60_000);
  rateLimiter.learn(added!, 100);
  expect(rateLimiter.admit(key, [error], NOON_MS + 60_000).allowed).toEqual([true]);
});
