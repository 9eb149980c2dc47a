import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FaultPoints } from '#lib/fault-points.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { compileScrubber } from '#pipeline/scrub/scrubber.ts';
import type { GroupingChange, RegroupJob } from '#product/grouping/grouping-change.ts';
import { LEASE_MS } from '#product/grouping/run-regroup.ts';
import type { Stores } from '#product/stores.ts';
import { mergePrivacy } from '#protocol/ingest-settings.ts';
import type { HashPair, RegroupCursor } from '#storage/ports/regroup-events.ts';
import type { ReprocessFilter } from '#storage/ports/reprocess-events.ts';
import { describeTouched, planReprocess } from './plan-reprocess.ts';
import { withSymbols } from './project-symbols.ts';
import { forgetStaged, ReprocessStaging } from './reprocess-staging.ts';
import { findFilter, type ReprocessRules, resymbolicateEvent } from './resymbolicate-event.ts';
import type { SymbolFiles } from './symbol-files.ts';

export type ReprocessDeps = {
  stores: Stores;
  symbols: SymbolFiles;
  faults: FaultPoints;
  now: () => number;
  /** Every process has heard of an upload after so long (milliseconds). */
  settleMs: number;
  /** Resolves when what digest has understood by now is stored, or when nobody can tell. */
  waitForDigest: (signal?: AbortSignal) => Promise<void>;
  /** Says when the process ends: the job is given back at its next step. */
  signal?: AbortSignal;
};

const HEARTBEAT_MS = 5_000;
/** Work between two turns of the event loop: a few milliseconds. */
const EVENTS_PER_TURN = 25;
/** One event waits so long for its files. */
const SYMBOLS_WAIT_MS = 60_000;
/** Of a project. Rows of more hashes are counted as changed again and again, and stay what they are. */
const STAND_INS_MAX = 100_000;

/** The job was cancelled, another worker has it, or this one has to stop. */
class JobLost extends Error {}

/**
 * Symbolicates stored events anew, until the job is finished, going on where the cursor stands. Day by day events are
 * read, the new rows of those that change are staged, and take the place of the old ones, under the same hashes; then, in
 * one transaction, issues and counters follow the new hashes, and last the rows of these.
 *
 * Every step may be repeated: what was staged and not counted is let go of first, since it may become something else now;
 * pairs are written together with the cursor, and a day is replaced and moved where it is still as it was. Answers false
 * when the job was cancelled or lost.
 */
export async function runReprocess(deps: ReprocessDeps, job: RegroupJob, owner: string): Promise<boolean> {
  const { change } = job;
  const { stores, faults, now } = deps;
  const { regroups, regroupEvents, reprocesses, reprocessEvents } = stores;
  const { organizationId, projectId } = change;
  const scope = { organizationId, projectId };
  const ref = { changeId: change.id, owner, phase: 'apply' as const };
  let seen = change.eventsSeen;
  let total = change.eventsTotal;
  let cursor: RegroupCursor = job.cursor ?? firstCursor(now());

  // A step may take long. Should this fail, the next step finds out.
  const heartbeat = setInterval(
    () => void regroups.extendLease(ref, LEASE_MS, now()).catch(() => {}),
    HEARTBEAT_MS,
  );
  try {
    await forgetStaged(stores);
    if (cursor.step === 'scan') {
      await settle();
      await scan();
      faults.reach('reprocess-scanned');
      if (!(await regroups.applyRound(ref, cursor, planReprocess, now()))) throw new JobLost();
      faults.reach('reprocess-applied');
      cursor = { ...cursor, step: 'move', day: null, after: null };
    }
    await move();
    faults.reach('reprocess-moved');
    await describeTouched(stores, change, () => save([]));
    const isFinished = await regroups.finish(ref, now());
    faults.reach('reprocess-finished');
    await reprocessEvents.forget(change.id);
    return isFinished;
  } catch (error) {
    if (!(error instanceof JobLost)) throw error;
    if (deps.signal?.aborted) await regroups.release(change.id, owner, null);
    else await forgetStaged(stores);
    return false;
  } finally {
    clearInterval(heartbeat);
  }

  async function settle(): Promise<void> {
    const waitMs = change.createdAt + deps.settleMs - now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: deps.signal }).catch(() => {});
    await deps.waitForDigest(deps.signal);
  }

  async function scan(): Promise<void> {
    const run = await reprocesses.find(organizationId, change.id);
    if (!run) throw new JobLost();
    const filter = await findFilter(stores, scope, run.scope);
    if (!filter) return;
    const rules = await findRules();
    if (job.cursor) {
      const { day, after } = job.cursor;
      await reprocessEvents.forgetUnsaved(change.id, day === null ? null : { day, after });
    }
    const days = await reprocessEvents.listDays(organizationId, projectId, filter);
    // Those that were replaced already may not meet the filter any more.
    total = Math.max(
      total,
      days.reduce((sum, { events }) => sum + events, 0),
    );
    await save([]);
    const staging = new ReprocessStaging();
    for (const { day } of days) {
      // Newest first: days before the one under way are the younger ones.
      if (cursor.day !== null && day > cursor.day) continue;
      if (day !== cursor.day) cursor = { ...cursor, day, after: null };
      await scanDay(day, filter, rules, staging);
      await replaceStaged();
    }
    // A day whose events are all replaced is not listed any more.
    await replaceStaged();
  }

  async function replaceStaged(): Promise<void> {
    for (const day of await reprocessEvents.listStagedDays(change.id)) {
      await reprocessEvents.replaceDay(change.id, scope, day);
      faults.reach('reprocess-day-replaced');
      await reprocessEvents.forgetDay(change.id, day);
      await save([]);
    }
  }

  async function scanDay(
    day: string,
    filter: ReprocessFilter,
    rules: ReprocessRules,
    staging: ReprocessStaging,
  ): Promise<void> {
    for await (const events of reprocessEvents.readDay(
      organizationId,
      projectId,
      day,
      filter,
      cursor.after,
    )) {
      for (const [index, event] of events.entries()) {
        if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn();
        const budget = { leftMs: SYMBOLS_WAIT_MS };
        const done = await withSymbols(deps.symbols, scope, budget, (sources) =>
          resymbolicateEvent(event, sources, rules),
        );
        if (done) staging.add(done);
        seen += 1;
        const { groupingHash, occurredAt, eventId } = event;
        cursor = { ...cursor, after: { hash: groupingHash, occurredAt, eventId } };
        if (staging.isFull) await saveStaged(staging);
        if (deps.signal?.aborted) throw new JobLost();
      }
      await saveStaged(staging);
      faults.reach('reprocess-checkpointed');
    }
  }

  /** Rows and notes first: an event whose pair is counted is staged, and has its move noted. */
  async function saveStaged(staging: ReprocessStaging): Promise<void> {
    const { events, pairs, moves } = staging.take();
    await reprocessEvents.stage(change.id, events);
    await regroupEvents.noteMoves({ changeId: change.id, projectId, phase: 'apply', round: 0 }, moves);
    faults.reach('reprocess-noted');
    await save(pairs);
  }

  async function save(pairs: readonly HashPair[]): Promise<void> {
    const step = { cursor, pairs, eventsSeen: seen, eventsTotal: Math.max(total, seen), leaseMs: LEASE_MS };
    if (!(await regroups.checkpoint(ref, step, now()))) throw new JobLost();
  }

  async function move(): Promise<void> {
    const splits = await regroups.listSplits(change.id, 'apply', 0);
    if (splits.length === 0) return;
    const place = { changeId: change.id, organizationId, projectId, phase: 'apply', round: 0 } as const;
    for (const day of await regroupEvents.listMoveDays(change.id, 'apply', 0)) {
      if (cursor.day !== null && day > cursor.day) continue;
      await regroupEvents.moveDay(place, day, splits, false);
      faults.reach('reprocess-day-moved');
      cursor = { ...cursor, day };
      await save([]);
    }
    await correctLosing(stores, change, splits, () => save([]));
  }

  async function findRules(): Promise<ReprocessRules> {
    const [settings, privacy, texts, standIns] = await Promise.all([
      stores.ingestSettings.findProject(organizationId, projectId),
      stores.ingestSettings.findOrganizationPrivacy(organizationId),
      stores.groupingRules.findActive(organizationId, projectId),
      reprocesses.listStandIns(projectId, STAND_INS_MAX),
    ]);
    if (!settings) throw new JobLost();
    return {
      scrubber: compileScrubber(mergePrivacy(privacy, settings.privacy)),
      grouping: compileGroupingRules(texts).rules,
      standIns,
    };
  }
}

const firstCursor = (nowMs: number): RegroupCursor => ({
  round: 0,
  step: 'scan',
  sinceMs: null,
  startedAt: nowMs,
  newestMs: 0,
  firstNewestMs: 0,
  day: null,
  after: null,
});

const HASHES_PER_STEP = 1_000;

/** Corrects first and last seen of hashes that lost events from what is stored; `progress` is called at every step. */
export async function correctLosing(
  { reprocesses, reprocessEvents }: Pick<Stores, 'reprocesses' | 'reprocessEvents'>,
  { organizationId, projectId }: Pick<GroupingChange, 'organizationId' | 'projectId'>,
  splits: readonly { from: string }[],
  progress: () => Promise<void>,
): Promise<void> {
  const losing = [...new Set(splits.map(({ from }) => from))];
  for (let start = 0; start < losing.length; start += HASHES_PER_STEP) {
    const hashes = losing.slice(start, start + HASHES_PER_STEP);
    // Counted first: what comes meanwhile is stored before it is counted.
    const counts = await reprocesses.countHashes(projectId, hashes);
    const stored = await reprocessEvents.findSeen({ organizationId, projectId }, [...counts.keys()]);
    await reprocesses.correctSeen(
      projectId,
      stored.flatMap((seen) => {
        const counted = counts.get(seen.hash);
        return counted === undefined ? [] : [{ ...seen, counted }];
      }),
    );
    await progress();
  }
}
