import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SendJob } from '#delivery/ports/destination-sender.ts';
import { GAPS_MS, ISSUES_NAMED_MAX } from '#domain/alerts/delivery-budgets.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { ENTRIES_PER_BATCH, evaluateOutbox } from '#product/alerts/evaluate/evaluate-outbox.ts';
import { CountMemory } from '#product/alerts/evaluate/judge-counts.ts';
import { testLog } from '../../contract/engines.ts';
import { hashOf } from '../../contract/sample-events.ts';
import { type DeliveryScene, openDeliveryScene } from '../delivery-scene.ts';

const ISSUES = 300;
/** As they come in the batches of digest. */
const PER_BATCH = 50;
const BATCH_MS = 1_000;

let scene: DeliveryScene;
beforeAll(async () => {
  scene = await openDeliveryScene();
});
afterAll(async () => {
  await scene?.close();
});

test('a storm of new issues: few messages, every issue named or counted once, and the last message says what it is', async () => {
  const { stores, organization, shop, clock, posted } = scene;
  const receiver = await scene.newDestination('webhook');
  const members = [await scene.join(organization, 'member'), await scene.join(organization, 'member')];
  const definition = {
    kind: 'issue' as const,
    triggers: ['first_seen' as const],
    filters: [],
    filterMatch: 'all' as const,
    frequencyMinutes: 30,
    receivers: [receiver, ...members.map(({ userId }) => ({ kind: 'user' as const, userId }))],
  };
  const draft = { name: 'Every new issue', environment: null, owner: null, definition };
  await stores.alertRules.create(organization.id, shop.id, draft, null, clock.nowMs);
  const evaluate = () =>
    evaluateOutbox(
      {
        stores,
        faults: parseFaultPoints(null),
        log: testLog,
        now: () => clock.nowMs,
        counts: new CountMemory(),
      },
      ENTRIES_PER_BATCH,
    );

  for (let from = 0; from < ISSUES; from += PER_BATCH) {
    clock.nowMs += BATCH_MS;
    await scene.ingest(
      organization,
      Array.from({ length: PER_BATCH }, (_, index) => ({
        projectId: shop.id,
        title: `Issue ${from + index}`,
        groupingHash: hashOf(`storm ${from + index}`),
        occurredAt: clock.nowMs,
      })),
    );
    while ((await evaluate()) > 0);
    await scene.sendDue();
  }
  const duringStorm = posted.length;
  for (const gapMs of GAPS_MS) {
    clock.nowMs += gapMs;
    await scene.sendDue();
  }

  // Three at once, and one that collected the rest; each member the same.
  expect([duringStorm, posted.length, scene.mailed.length]).toEqual([3, 4, 4 * members.length]);
  const told = posted.map(toldBy);
  expect(told.reduce((sum, { named, left }) => sum + named.length + left, 0)).toBe(ISSUES);
  expect(new Set(told.flatMap(({ named }) => named)).size).toBe(told.flatMap(({ named }) => named).length);
  const last = told.at(-1)!;
  expect(last.named).toHaveLength(ISSUES_NAMED_MAX);
  expect(last.headline).toBe(`Alert storm: ${ISSUES - 3 * PER_BATCH} issues in shop`);
  expect(scene.mailed.at(-1)?.subject).toContain('Alert storm: 150 issues in shop');
});

type Told = { named: readonly string[]; left: number; headline: string };

function toldBy({ parts }: SendJob): Told {
  const { errata } = (parts[0]!.body as { data: { errata: Record<string, unknown> } }).data;
  return {
    named: (errata.issues as { id: string }[]).map(({ id }) => id),
    left: errata.issues_not_named as number,
    headline: errata.headline as string,
  };
}
