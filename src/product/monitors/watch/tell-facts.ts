import { DAY_MS } from '#lib/time.ts';
import { resolveMonitorIssue } from '#product/monitor-issues/resolve-monitor-issue.ts';
import type { Stores } from '#product/stores.ts';
import { TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import type { WatchFact } from '../watch-fact.ts';

const FACTS_PER_BATCH = 1_000;
/** Recoveries looked at in one go: those of issues that digest is still to make wait. */
const RECOVERIES_WAITING_MAX = 10_000;
/** An issue that was not made by then was deleted or discarded. */
const RECOVERY_AGE_MS_MAX = DAY_MS;

type Parts = Pick<Stores, 'monitorWatch' | 'monitorFailures' | 'telemetry' | 'issues'>;
type Noted = { id: number; fact: WatchFact; createdAt: number };

/**
 * Stores what was found, hands failures to digest, and resolves the issues of what recovered. Each step is harmless when
 * it is repeated, and forgotten once it is done.
 */
export async function tellFacts(stores: Parts, nowMs: number): Promise<void> {
  let afterId = 0;
  for (let waiting = 0; waiting < RECOVERIES_WAITING_MAX; ) {
    const facts = await stores.monitorWatch.listFacts(FACTS_PER_BATCH, afterId);
    if (facts.length === 0) return;
    await insertRows(stores, facts);
    await stores.monitorFailures.tell(
      facts.flatMap(({ fact }) => (fact.kind === 'failure' ? [fact.failure] : [])),
    );
    const done: number[] = [];
    for (const noted of facts) {
      if (noted.fact.kind !== 'recovery' || (await recover(stores, noted, nowMs))) done.push(noted.id);
      else waiting++;
    }
    await stores.monitorWatch.deleteFacts(done);
    if (facts.length < FACTS_PER_BATCH) return;
    afterId = facts.at(-1)!.id;
  }
}

async function insertRows({ telemetry }: Parts, facts: readonly Noted[]): Promise<void> {
  const checkIns = facts.flatMap(({ fact }) => (fact.kind === 'row' ? [fact.row] : []));
  if (checkIns.length === 0) return;
  const none = Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, []])) as unknown as TelemetryRows;
  await telemetry.insert(
    { ...none, checkIns },
    `monitors:${facts[0]!.id}:${facts.at(-1)!.id}:${checkIns.length}`,
  );
}

/** Whether nothing more is to be done about it. */
async function recover(stores: Parts, { fact, createdAt }: Noted, nowMs: number): Promise<boolean> {
  if (fact.kind !== 'recovery') return true;
  // It failed again meanwhile: its issue is open for that.
  if ((await stores.monitorWatch.findIncident(fact.environmentId)) !== null) return true;
  return (await resolveMonitorIssue(stores, fact, nowMs)) || nowMs - createdAt > RECOVERY_AGE_MS_MAX;
}
