import { expect, test } from 'vitest';
import type { KeyAdmission } from '#domain/projects.ts';
import { createLog } from '#lib/log.ts';
import type { Quota } from '#protocol/quota.ts';
import { Admission } from './admission.ts';
import { CounterRestorer } from './restore-counters.ts';

const log = createLog('test', 'error');
const NOW_MS = 1_790_000_000_000;
const DAY_START_MS = NOW_MS - (NOW_MS % 86_400_000);
const quota = (id: string, windowSeconds: number): Quota => ({
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
function room(admission: Admission, each: Quota): number {
  let count = 0;
  while (admission.admit({ quotas: [each] }, [{ category: 'error', quantity: 1 }], NOW_MS).allowed[0])
    count += 1;
  return count;
}

test('long windows go on from what was accepted, once per quota; short ones begin anew', async () => {
  const [day, minute] = [quota('day', 86_400), quota('minute', 60)];
  const asked: unknown[] = [];
  const admission = new Admission();
  const restorer = new CounterRestorer(
    admission,
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
  expect(room(admission, day)).toBe(70);
  expect(room(admission, minute)).toBe(100);
});

test('while the store is away limits begin at zero, and are made up for as soon as it is back', async () => {
  const day = quota('day', 86_400);
  const admission = new Admission();
  let isAway = true;
  const restorer = new CounterRestorer(
    admission,
    {
      countAccepted: async () => {
        if (isAway) throw new Error('away');
        return [40];
      },
    },
    log,
  );
  await restorer.restore([key([day])], NOW_MS);
  admission.admit({ quotas: [day] }, [{ category: 'error', quantity: 10 }], NOW_MS);
  isAway = false;
  await restorer.restore([key([day])], NOW_MS);
  expect(room(admission, day)).toBe(50);
});
