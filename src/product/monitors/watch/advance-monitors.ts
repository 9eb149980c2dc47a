import { dueAt, type IngestGap, type MonitorState, MonitorSteps } from '#domain/monitors/monitor-state.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';
import type { Monitor } from '../monitor.ts';
import type { IngestMark } from '../store/ingest-mark-store.ts';
import type { QueuedCheckIn, WatchedEnvironment } from '../store/watch-store.ts';
import type { WatchFact } from '../watch-fact.ts';
import { watchFactOf } from './watch-facts.ts';
import { readSentConfig, readSentOwner, sameSettings, watchSettingsOf } from './watch-settings.ts';

/** Check-ins, and environments that are due, in one transaction. */
const BATCH_ROWS_MAX = 1_000;
/** What many found is told in between: telling takes longer than finding. */
const BATCHES_PER_TELLING = 10;
/** Check-ins that are so much younger than now arrived before the clock was put back. */
const CLOCK_BACK_MS = 60_000;
/** While so much waits to be told, nothing more is found. */
const FACTS_WAITING_MAX = 100_000;

/**
 * Looks at the check-ins that have arrived, and at what is due: all of it, in transactions of a bounded size. What it
 * finds waits as facts, which `onMany` may tell. Answers how many check-ins and due environments it looked at.
 */
export async function advanceMonitors(
  stores: Pick<Stores, 'ingestMarks' | 'monitorWatch' | 'inTransaction'>,
  now: () => number,
  { signal, onMany = async () => {} }: { signal?: AbortSignal; onMany?: () => Promise<void> } = {},
): Promise<number> {
  if ((await stores.monitorWatch.countFacts()) > FACTS_WAITING_MAX) return 0;
  // Read first: what is complete by then is in the queue, whose check-ins come before what is due.
  const clock = readIngestClock(await stores.ingestMarks.list(), now());
  let looked = 0;
  let batches = 0;
  for (const step of [takeCheckIns, takeDue]) {
    for (let count = BATCH_ROWS_MAX; count === BATCH_ROWS_MAX && !signal?.aborted; looked += count) {
      count = await stores.inTransaction(async (within) => {
        if (!(await within.monitorWatch.lock())) return 0;
        return await step(within, clock, now());
      });
      if (count > 0 && ++batches % BATCHES_PER_TELLING === 0) await onMany();
    }
  }
  return looked;
}

type Within = Pick<Stores, 'monitorWatch'>;

async function takeCheckIns(
  { monitorWatch }: Within,
  clock: IngestClock | null,
  nowMs: number,
): Promise<number> {
  if (clock === null) return 0;
  const checkIns = await monitorWatch.takeCheckIns(
    clock.completeUntil,
    nowMs + CLOCK_BACK_MS,
    BATCH_ROWS_MAX,
  );
  if (checkIns.length === 0) return 0;
  const keys = new Map(checkIns.map((row) => [monitorKey(row), row]));
  const opened = await monitorWatch.openMonitors([...keys.values()], nowMs);
  const monitors = new Map(opened.map((monitor) => [monitorKey(monitor), monitor]));
  const places = new Map<string, { monitorId: number; name: string }>();
  for (const row of checkIns) {
    const monitorId = monitors.get(monitorKey(row))?.id;
    if (monitorId === undefined) continue;
    places.set(`${monitorId}:${row.environment}`, { monitorId, name: row.environment });
  }
  const environments = new Map(
    (await monitorWatch.openEnvironments([...places.values()], nowMs)).map((environment) => [
      `${environment.monitorId}:${environment.name}`,
      environment,
    ]),
  );
  const batch = new Batch(monitorWatch, clock.gaps, nowMs);
  const changed = new Map<string, Monitor & { rescheduledAt: number | null }>();
  for (const row of checkIns) {
    const key = monitorKey(row);
    const known = monitors.get(key);
    const environment = known && environments.get(`${known.id}:${row.environment}`);
    if (!known || !environment) continue;
    const monitor = asSent(known, row.config);
    if (monitor !== known) {
      monitors.set(key, monitor);
      const isRescheduled = !sameSettings(known, monitor);
      const rescheduledAt = isRescheduled ? row.at : (changed.get(key)?.rescheduledAt ?? null);
      changed.set(key, { ...monitor, rescheduledAt });
      const owner = known.isUpserting ? null : readSentOwner(row.config?.owner ?? '');
      if (owner) await monitorWatch.saveSentOwner(monitor, owner);
      for (const other of environments.values()) {
        if (!isRescheduled || other.monitorId !== monitor.id) continue;
        batch.advance(known, other, row.at);
        batch.reschedule(monitor, other, row.at);
      }
    }
    batch.checkIn(monitor, environment, row);
  }
  // States are saved after the settings, whose note about another schedule they answer.
  await monitorWatch.saveSentSettings([...changed.values()]);
  await batch.save();
  return checkIns.length;
}

async function takeDue({ monitorWatch }: Within, clock: IngestClock | null, nowMs: number): Promise<number> {
  if (clock === null) return 0;
  const due = await monitorWatch.takeDue(clock.completeUntil, BATCH_ROWS_MAX);
  const batch = new Batch(monitorWatch, clock.gaps, nowMs);
  for (const { monitor, environment } of due) batch.advance(monitor, environment, clock.completeUntil);
  await batch.save();
  return due.length;
}

/** The monitor as the check-in describes it, the same one when that is nothing new. */
function asSent(monitor: Monitor, config: QueuedCheckIn['config']): Monitor {
  if (config === null) return monitor;
  const sent = readSentConfig(config);
  if ('problem' in sent) {
    const isKnown = monitor.isUpserting && monitor.configProblem === sent.problem;
    return isKnown ? monitor : { ...monitor, configProblem: sent.problem, isUpserting: true };
  }
  const isSame = sameSettings(monitor, sent) && monitor.isUpserting && monitor.configProblem === null;
  return isSame ? monitor : { ...monitor, ...sent, configProblem: null, isUpserting: true };
}

const monitorKey = ({ projectId, slug }: { projectId: number; slug: string }): string =>
  `${projectId}:${slug}`;

/** States that are moved on together, and saved once each. */
class Batch {
  readonly #watch: Within['monitorWatch'];
  readonly #gaps: readonly IngestGap[];
  readonly #nowMs: number;
  readonly #states = new Map<number, { state: MonitorState; isWatched: boolean }>();
  readonly #facts: WatchFact[] = [];

  constructor(watch: Within['monitorWatch'], gaps: readonly IngestGap[], nowMs: number) {
    this.#watch = watch;
    this.#gaps = gaps;
    this.#nowMs = nowMs;
  }

  checkIn(monitor: Monitor, environment: WatchedEnvironment, row: QueuedCheckIn): void {
    this.#step(monitor, environment, (steps) => steps.checkIn(row));
  }

  advance(monitor: Monitor, environment: WatchedEnvironment, toMs: number): void {
    this.#step(monitor, environment, (steps) => steps.advance(toMs));
  }

  reschedule(monitor: Monitor, environment: WatchedEnvironment, atMs: number): void {
    this.#step(monitor, environment, (steps) => steps.reschedule(atMs));
  }

  async save(): Promise<void> {
    await this.#watch.saveStates(
      [...this.#states].map(([id, { state, isWatched }]) => ({
        id,
        state,
        dueAt: isWatched ? dueAt(state) : null,
      })),
    );
    await this.#watch.addFacts(this.#facts, this.#nowMs);
  }

  #step(monitor: Monitor, environment: WatchedEnvironment, work: (steps: MonitorSteps) => void): void {
    const isWatched = !monitor.isDisabled && !environment.isDisabled;
    const known = this.#states.get(environment.id);
    const state = known?.state ?? stateOf(environment);
    if (!isWatched) {
      this.#states.set(environment.id, { state, isWatched });
      return;
    }
    const settings = watchSettingsOf(monitor, monitor.isMuted || environment.isMuted);
    const steps = new MonitorSteps(String(environment.id), settings, this.#gaps, state);
    if (!known && environment.rescheduledAt !== null) steps.reschedule(environment.rescheduledAt);
    work(steps);
    const { result } = steps;
    this.#states.set(environment.id, { state: result.state, isWatched });
    for (const fact of result.facts) this.#facts.push(watchFactOf(fact, monitor, environment, this.#nowMs));
  }
}

const stateOf = ({
  incidentId,
  incidentStartedAt,
  incidentToldAt,
  ...environment
}: WatchedEnvironment): MonitorState => ({
  firstCheckInAt: environment.firstCheckInAt,
  lastCheckInAt: environment.lastCheckInAt,
  lastOkAt: environment.lastOkAt,
  lastResultAt: environment.lastResultAt,
  nextExpectedAt: environment.nextExpectedAt,
  deadlineAt: environment.deadlineAt,
  failures: environment.failures,
  successes: environment.successes,
  incident:
    incidentId === null || incidentStartedAt === null
      ? null
      : { id: incidentId, startedAt: incidentStartedAt, toldAt: incidentToldAt },
  runs: environment.runs,
});

/** The mark of an edge that has been silent for so long is of one that is gone. */
const SILENT_MS_MAX = 15 * MINUTE_MS;

/** What is known of what arrived: everything up to a moment, except in the gaps. */
type IngestClock = { completeUntil: number; gaps: readonly IngestGap[] };

/**
 * Of all edges together: what may still wait at one of them is not known. null while no edge is heard of. A clock that
 * was put back makes a mark younger than now, which counts until it is reached.
 */
function readIngestClock(marks: readonly IngestMark[], nowMs: number): IngestClock | null {
  const heard = marks.filter(({ updatedAt }) => nowMs - updatedAt < SILENT_MS_MAX);
  if (heard.length === 0) return null;
  return {
    completeUntil: Math.min(nowMs, ...heard.map((mark) => mark.completeUntil)),
    gaps: heard.flatMap((mark) => mark.gaps),
  };
}
