import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FaultPoints } from '#lib/fault-points.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import type { RegroupCursor, RegroupEvents } from '#storage/ports/regroup-events.ts';
import { groupStored } from './explain-grouping.ts';
import type { RegroupJob } from './grouping-change.ts';
import { PairCollector } from './pair-collector.ts';
import { planRegroup, planUndo } from './plan-regroup.ts';
import type { RegroupStore } from './store/regroup-store.ts';

export type RegroupDeps = {
  regroups: RegroupStore;
  regroupEvents: RegroupEvents;
  faults: FaultPoints;
  now: () => number;
  /** How long after the switch a process may go on by the former rules, at most (milliseconds). */
  settleMs: number;
  /** Says when the process ends: the job is given back at its next step. */
  signal?: AbortSignal;
};

/** A worker that is silent for so long has lost its job to another one. */
export const LEASE_MS = 20_000;
const HEARTBEAT_MS = 5_000;
/** Events may be stored a little later than others that arrived after them. */
const ARRIVAL_MARGIN_MS = 120_000;
/** A checkpoint is written when so much has gathered. */
const CHECKPOINT = { events: 20_000, pairs: 20_000 } as const;
/** Work between two turns of the event loop: a few milliseconds. */
const EVENTS_PER_TURN = 50;

/** The job was cancelled, another worker has it, or this one has to stop. */
class JobLost extends Error {}

/**
 * Works on a job until it is finished, going on where the cursor stands. A round reads events and sums up what the rules
 * make of them, changes the hash index in one transaction, and then gives rows of hashes that split their other hash. The first
 * round is over all events while the former rules still count, so that new ones find the hash index ready; later rounds are over
 * what arrived meanwhile, until one has begun after every process knew the rules.
 *
 * Every step may be repeated: pairs are written together with the cursor, notes of moves replace themselves, and moving a
 * day moves what is still where it was. Answers false when the job was cancelled or lost.
 */
export async function runRegroup(deps: RegroupDeps, job: RegroupJob, owner: string): Promise<boolean> {
  const { change, phase } = job;
  const { regroups, faults, now } = deps;
  const ref = { changeId: change.id, owner, phase };
  let seen = change.eventsSeen;
  let total = change.eventsTotal;
  let cursor = job.cursor ?? (await firstRound());

  // A step may take long. Should this fail, the next step finds out.
  const heartbeat = setInterval(
    () => void regroups.extendLease(ref, LEASE_MS, now()).catch(() => {}),
    HEARTBEAT_MS,
  );
  try {
    for (;;) {
      if (cursor.step === 'scan') {
        await scanRound();
        faults.reach('regroup-scanned');
        const plan = phase === 'apply' ? planRegroup : planUndo;
        if (!(await regroups.applyRound(ref, cursor, plan, now()))) throw new JobLost();
        faults.reach('regroup-applied');
        cursor = { ...cursor, step: 'move', day: null, after: null };
      }
      await moveRound();
      faults.reach('regroup-moved');
      if (await isSettled()) break;
      cursor = await nextRound();
    }
    const isFinished = await regroups.finish(ref, now());
    faults.reach('regroup-finished');
    return isFinished;
  } catch (error) {
    if (!(error instanceof JobLost)) throw error;
    if (deps.signal?.aborted) await regroups.release(change.id, owner, null);
    return false;
  } finally {
    clearInterval(heartbeat);
  }

  async function firstRound(): Promise<RegroupCursor> {
    const { organizationId, projectId } = change;
    const days = await deps.regroupEvents.listDays(organizationId, projectId, null);
    total = days.reduce((sum, { events }) => sum + events, 0);
    const newestMs = await deps.regroupEvents.findNewestArrival(organizationId, projectId);
    return {
      round: 0,
      step: 'scan',
      sinceMs: null,
      startedAt: now(),
      newestMs,
      firstNewestMs: newestMs,
      day: null,
      after: null,
    };
  }

  async function nextRound(): Promise<RegroupCursor> {
    const { organizationId, projectId } = change;
    const next: RegroupCursor = {
      round: cursor.round + 1,
      step: 'scan',
      sinceMs: cursor.newestMs - ARRIVAL_MARGIN_MS,
      startedAt: now(),
      newestMs: await deps.regroupEvents.findNewestArrival(organizationId, projectId),
      firstNewestMs: cursor.firstNewestMs,
      day: null,
      after: null,
    };
    cursor = next;
    await save([]);
    return next;
  }

  /** The round that has ended began when every process had known for long enough which rules count. */
  async function isSettled(): Promise<boolean> {
    const current = await regroups.findChange(change.organizationId, change.id);
    const switchedAt = phase === 'apply' ? current?.appliedAt : current?.undoneAt;
    if (switchedAt === null || switchedAt === undefined) throw new JobLost();
    if (cursor.round > 0 && cursor.startedAt >= switchedAt + deps.settleMs) return true;
    const waitMs = switchedAt + deps.settleMs - now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: deps.signal }).catch(() => {});
    if (deps.signal?.aborted) throw new JobLost();
    return false;
  }

  async function scanRound(): Promise<void> {
    const { rules } = compileGroupingRules(job.rules);
    const { organizationId, projectId } = change;
    const days = await deps.regroupEvents.listDays(organizationId, projectId, cursor.sinceMs);
    const collector = new PairCollector();
    let sinceSaved = 0;
    for (const { day } of days) {
      // Newest first: days before the one under way are the younger ones.
      if (cursor.day !== null && day > cursor.day) continue;
      if (day !== cursor.day) cursor = { ...cursor, day, after: null };
      const { sinceMs, after } = cursor;
      for await (const events of deps.regroupEvents.readDay(organizationId, projectId, day, {
        sinceMs,
        after,
      })) {
        for (const [index, event] of events.entries()) {
          if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn();
          if (event.payload === null) continue;
          const { hash, title } = groupStored(event.payload, rules);
          collector.add(event, hash, title);
        }
        const last = events.at(-1);
        if (last)
          cursor = {
            ...cursor,
            after: { hash: last.hash, occurredAt: last.occurredAt, eventId: last.eventId },
          };
        sinceSaved += events.length;
        seen += events.length;
        if (!deps.signal?.aborted && sinceSaved < CHECKPOINT.events && collector.pairCount < CHECKPOINT.pairs)
          continue;
        await saveCollected(collector);
        if (deps.signal?.aborted) throw new JobLost();
        sinceSaved = 0;
        faults.reach('regroup-checkpointed');
      }
    }
    await saveCollected(collector);
  }

  /** Notes first: an event whose pair is counted has its move noted. */
  async function saveCollected(collector: PairCollector): Promise<void> {
    const { pairs, moves } = collector.take();
    const place = { changeId: change.id, projectId: change.projectId, phase, round: cursor.round };
    await deps.regroupEvents.noteMoves(place, moves);
    faults.reach('regroup-noted');
    await save(pairs);
  }

  async function save(pairs: Parameters<RegroupStore['checkpoint']>[1]['pairs']): Promise<void> {
    if (deps.signal?.aborted && pairs.length === 0) throw new JobLost();
    const step = { cursor, pairs, eventsSeen: seen, eventsTotal: Math.max(total, seen), leaseMs: LEASE_MS };
    if (!(await regroups.checkpoint(ref, step, now()))) throw new JobLost();
  }

  /** The first round of an undo takes back what all rounds of the change moved. */
  async function moveRound(): Promise<void> {
    const isReverse = phase === 'undo' && cursor.round === 0;
    const noted = isReverse ? ({ phase: 'apply', round: null } as const) : { phase, round: cursor.round };
    const splits = await regroups.listSplits(change.id, noted.phase, noted.round);
    if (splits.length === 0) return;
    const place = {
      changeId: change.id,
      organizationId: change.organizationId,
      projectId: change.projectId,
      ...noted,
    };
    for (const day of await deps.regroupEvents.listMoveDays(change.id, noted.phase, noted.round)) {
      if (cursor.day !== null && day > cursor.day) continue;
      await deps.regroupEvents.moveDay(place, day, splits, isReverse);
      faults.reach('regroup-day-moved');
      cursor = { ...cursor, day };
      await save([]);
    }
  }
}
