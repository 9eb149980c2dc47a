import { hash } from 'node:crypto';
import { DAY_MS } from '#lib/time.ts';
import { EARLY_MS_MAX, isLittleEarly, type RunTimes } from './run-times.ts';

/** How a monitor is watched. Durations are milliseconds. */
export type WatchSettings = {
  /** null: nothing is expected, check-ins are only noted. */
  times: RunTimes | null;
  marginMs: number;
  maxRuntimeMs: number;
  failureThreshold: number;
  recoveryThreshold: number;
  /** Failures are found, and nobody is told. */
  isMuted: boolean;
};

/** A check-in that has begun, and what became of it. */
export type MonitorRun = {
  /** As the client sent it; null when it knows none. */
  checkInId: string | null;
  /** Milliseconds since the epoch. */
  startedAt: number;
  timeoutAt: number;
  traceId: string | null;
  state: 'open' | 'timed_out' | 'ended';
};

/** Failures in a row, as many as the threshold or more. */
export type MonitorIncident = {
  /** 32 lower-case hex digits. */
  id: string;
  startedAt: number;
  /** When the failure that was told last happened; null when none was. */
  toldAt: number | null;
};

/** What is known of a monitor in one environment. Times are milliseconds since the epoch, null for never. */
export type MonitorState = {
  firstCheckInAt: number | null;
  lastCheckInAt: number | null;
  lastOkAt: number | null;
  /** When a run last said how it ended. */
  lastResultAt: number | null;
  nextExpectedAt: number | null;
  /** The next run is missed when nothing has been heard by then. */
  deadlineAt: number | null;
  /** In a row. */
  failures: number;
  successes: number;
  incident: MonitorIncident | null;
  /** Oldest first. */
  runs: readonly MonitorRun[];
};

export const NEW_STATE: MonitorState = {
  firstCheckInAt: null,
  lastCheckInAt: null,
  lastOkAt: null,
  lastResultAt: null,
  nextExpectedAt: null,
  deadlineAt: null,
  failures: 0,
  successes: 0,
  incident: null,
  runs: [],
};

/** A time in which check-ins could not be received: what was due in it is unknown, never missed. */
export type IngestGap = { fromMs: number; toMs: number };

export type FailureReason = 'missed' | 'timeout' | 'error';

/** What follows from a step, to be stored and told; the same steps give the same facts with the same ids. */
export type MonitorFact =
  | {
      kind: 'found';
      status: 'missed' | 'timeout' | 'unknown';
      /** null: the run was begun without one. */
      checkInId: string | null;
      /** Of a missed run when it was due, of others when their time was over. */
      at: number;
      traceId: string | null;
    }
  | {
      kind: 'failed';
      incidentId: string;
      reason: FailureReason;
      checkInId: string | null;
      /** When it was known that it failed. */
      at: number;
      /** null unless a run was missed. */
      expectedAt: number | null;
      lastOkAt: number | null;
      traceId: string | null;
      inARow: number;
    }
  /** Of an incident that was told; `toldAt` is when its last failure happened. */
  | { kind: 'recovered'; incidentId: string; toldAt: number };

export type Step = { state: MonitorState; facts: readonly MonitorFact[] };

export type CheckIn = {
  /** null: it is about the latest run that is open. */
  checkInId: string | null;
  status: 'in_progress' | 'ok' | 'error';
  at: number;
  traceId: string | null;
};

/** Runs of one monitor and environment that may be open at once; of more, the oldest are no longer watched. */
const RUNS_OPEN_MAX = 100;
/** Ended runs remembered, so that an end that is sent twice counts once. */
const RUNS_ENDED_KEPT = 5;
/** An end without an id is about a run that began at most this long before. */
const PAIRED_WITHIN_MS = DAY_MS;
/** Runs found missed in one step: of a longer silence that nobody looked at, the rest is left out. */
export const RUNS_MISSED_PER_STEP_MAX = 100;
/** A check-in that is so much older than the last one means that the clock was put back. */
const CLOCK_BACK_MS_MIN = 60_000;

/** A monitor in one environment, moved on in time and by check-ins. Pure: what it finds out is in the facts. */
export class MonitorSteps {
  readonly #key: string;
  readonly #settings: WatchSettings;
  readonly #gaps: readonly IngestGap[];
  readonly #facts: MonitorFact[] = [];
  #state: MonitorState;

  /** `key` names the monitor and environment, for ids. */
  constructor(key: string, settings: WatchSettings, gaps: readonly IngestGap[], state: MonitorState) {
    this.#key = key;
    this.#settings = settings;
    this.#gaps = gaps;
    this.#state = state;
  }

  get result(): Step {
    return { state: this.#state, facts: this.#facts };
  }

  /** Finds what was missed or took too long before the moment. */
  advance(toMs: number): void {
    for (let missed = 0; ; ) {
      const run = this.#state.runs
        .filter(({ state, timeoutAt }) => state === 'open' && timeoutAt < toMs)
        .sort((a, b) => a.timeoutAt - b.timeoutAt)[0];
      const { deadlineAt } = this.#state;
      const isMissed = deadlineAt !== null && deadlineAt < toMs;
      if (run && (!isMissed || run.timeoutAt <= deadlineAt)) this.#timeOut(run);
      else if (!isMissed) return;
      else if (missed++ < RUNS_MISSED_PER_STEP_MAX) this.#miss(toMs);
      else this.#expect(this.#after(toMs));
    }
  }

  /** A check-in that has arrived; what was due before it is found first. */
  checkIn(checkIn: CheckIn): void {
    const { at, status } = checkIn;
    this.advance(at);
    const run = this.#runOf(checkIn);
    if (run?.state === 'ended') return;
    const { firstCheckInAt, lastCheckInAt } = this.#state;
    this.#set({ firstCheckInAt: firstCheckInAt ?? at, lastCheckInAt: Math.max(lastCheckInAt ?? at, at) });
    if (this.#settings.times === null) {
      if (status === 'ok') this.#set({ lastOkAt: at });
      return;
    }
    if (status === 'in_progress') this.#begin(checkIn, run);
    else {
      this.#end(checkIn, run);
      // What ended too late has been counted when its time was over.
      if (run?.state !== 'timed_out') this.#count(checkIn);
    }
    if (run?.state === 'timed_out') return;
    const next = run ? this.#afterUpdate(at) : this.#afterStart(at);
    const known = this.#state.nextExpectedAt;
    // What arrives out of order leaves what is expected as it is, unless the clock was put back.
    const isClockBack = lastCheckInAt !== null && at < lastCheckInAt - CLOCK_BACK_MS_MIN;
    this.#expect(next === null || known === null || isClockBack ? next : Math.max(next, known));
  }

  /** The schedule has changed, or watching begins again: what was due before the moment is not looked for. */
  reschedule(atMs: number): void {
    const { firstCheckInAt, lastCheckInAt } = this.#state;
    if (firstCheckInAt === null) return;
    const afterLast = this.#after(lastCheckInAt ?? atMs);
    this.#expect(afterLast !== null && afterLast > atMs ? afterLast : this.#after(atMs));
  }

  #set(change: Partial<MonitorState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #runOf({ checkInId, status, at }: CheckIn): MonitorRun | undefined {
    const { runs } = this.#state;
    if (checkInId !== null) return runs.find((run) => run.checkInId === checkInId);
    if (status === 'in_progress') return undefined;
    return runs.findLast(({ state, startedAt }) => state === 'open' && at - startedAt <= PAIRED_WITHIN_MS);
  }

  #begin({ checkInId, at, traceId }: CheckIn, known: MonitorRun | undefined): void {
    const timeoutAt = at + this.#settings.maxRuntimeMs;
    if (known) {
      if (known.state === 'open') this.#replace(known, { ...known, timeoutAt });
      return;
    }
    const run: MonitorRun = { checkInId, startedAt: at, timeoutAt, traceId, state: 'open' };
    this.#set({ runs: bounded([...this.#state.runs, run]) });
  }

  #end({ checkInId, at, traceId }: CheckIn, known: MonitorRun | undefined): void {
    if (known?.state === 'timed_out') return;
    const ended: MonitorRun = {
      checkInId,
      startedAt: known?.startedAt ?? at,
      timeoutAt: at,
      traceId,
      state: 'ended',
    };
    const others = this.#state.runs.filter((run) => run !== known);
    this.#set({ runs: bounded(checkInId === null ? others : [...others, ended]) });
  }

  #replace(run: MonitorRun, by: MonitorRun): void {
    this.#set({ runs: this.#state.runs.map((each) => (each === run ? by : each)) });
  }

  #count({ status, checkInId, at, traceId }: CheckIn): void {
    this.#set({ lastResultAt: Math.max(this.#state.lastResultAt ?? at, at) });
    if (status === 'ok') this.#succeed(at);
    else this.#fail({ reason: 'error', checkInId, at, expectedAt: null, traceId });
  }

  #succeed(at: number): void {
    const successes = this.#state.successes + 1;
    const { incident } = this.#state;
    this.#set({ successes, failures: 0, lastOkAt: Math.max(this.#state.lastOkAt ?? at, at) });
    if (incident === null || successes < this.#settings.recoveryThreshold) return;
    this.#set({ incident: null });
    const { id, toldAt } = incident;
    if (toldAt !== null) this.#facts.push({ kind: 'recovered', incidentId: id, toldAt });
  }

  #fail(failure: {
    reason: FailureReason;
    checkInId: string | null;
    at: number;
    expectedAt: number | null;
    traceId: string | null;
  }): void {
    const inARow = this.#state.failures + 1;
    this.#set({ failures: inARow, successes: 0 });
    const known = this.#state.incident;
    if (known === null && inARow < this.#settings.failureThreshold) return;
    const { reason, at, checkInId } = failure;
    const id = known?.id ?? this.#idOf('incident', reason, at, checkInId ?? '');
    const toldAt = this.#settings.isMuted ? (known?.toldAt ?? null) : Math.max(known?.toldAt ?? at, at);
    this.#set({ incident: { id, startedAt: known?.startedAt ?? at, toldAt } });
    const { lastOkAt } = this.#state;
    if (!this.#settings.isMuted)
      this.#facts.push({ kind: 'failed', incidentId: id, lastOkAt, inARow, ...failure });
  }

  #timeOut(run: MonitorRun): void {
    this.#replace(run, { ...run, state: 'timed_out' });
    const { checkInId, startedAt, timeoutAt: at, traceId } = run;
    const isKnown = this.#gapsWithin(startedAt, at).length === 0;
    const status = isKnown ? 'timeout' : 'unknown';
    this.#facts.push({ kind: 'found', status, checkInId, at, traceId });
    // A later run has said meanwhile how the job is.
    const { lastResultAt } = this.#state;
    if (!isKnown || (lastResultAt !== null && lastResultAt > startedAt)) return;
    this.#fail({ reason: 'timeout', checkInId, at, expectedAt: null, traceId });
  }

  #miss(toMs: number): void {
    const expectedAt = this.#state.nextExpectedAt!;
    // What was heard of after a gap was not lost in it.
    const fromMs = Math.max(expectedAt - EARLY_MS_MAX, this.#state.lastCheckInAt ?? 0);
    const gaps = this.#gapsWithin(fromMs, this.#state.deadlineAt!);
    const status = gaps.length === 0 ? 'missed' : 'unknown';
    const checkInId = this.#idOf(status, expectedAt);
    this.#facts.push({ kind: 'found', status, checkInId, at: expectedAt, traceId: null });
    if (status === 'missed') {
      const at = this.#state.deadlineAt!;
      this.#fail({ reason: 'missed', checkInId, at, expectedAt, traceId: null });
      this.#expect(this.#after(expectedAt));
      return;
    }
    // A run that nobody saw may have moved an interval to the end of the gap.
    const isInterval = this.#settings.times?.latest(expectedAt) === null;
    const unseenUntil = Math.min(toMs, Math.max(...gaps.map((gap) => gap.toMs)));
    this.#expect(this.#after(isInterval ? Math.max(expectedAt, unseenUntil) : expectedAt));
  }

  #gapsWithin(fromMs: number, toMs: number): readonly IngestGap[] {
    return this.#gaps.filter((gap) => gap.fromMs < toMs && gap.toMs > fromMs);
  }

  #after = (atMs: number): number | null => this.#settings.times?.next(atMs) ?? null;

  /** A run began at the moment: the one after it is expected next. */
  #afterStart(at: number): number | null {
    const next = this.#after(at);
    const { times } = this.#settings;
    const isAwaited = (this.#state.nextExpectedAt ?? next) === next;
    if (next === null || times === null || !isAwaited) return next;
    return isLittleEarly(times, at, next) ? this.#after(next) : next;
  }

  /** A run was heard of: what is due by now need not begin any more. */
  #afterUpdate(at: number): number | null {
    const { nextExpectedAt } = this.#state;
    const isInterval = this.#settings.times?.latest(at) === null;
    return !isInterval && nextExpectedAt !== null && nextExpectedAt > at ? nextExpectedAt : this.#after(at);
  }

  #expect(nextExpectedAt: number | null): void {
    const deadlineAt = nextExpectedAt === null ? null : nextExpectedAt + this.#settings.marginMs;
    this.#set({ nextExpectedAt, deadlineAt });
  }

  #idOf = (...parts: readonly (string | number)[]): string => hash('md5', [this.#key, ...parts].join(':'));
}

/** When something is to be looked for next; null for never. */
export function dueAt({ deadlineAt, runs }: MonitorState): number | null {
  const times = runs.filter(({ state }) => state === 'open').map(({ timeoutAt }) => timeoutAt);
  if (deadlineAt !== null) times.push(deadlineAt);
  return times.length === 0 ? null : Math.min(...times);
}

function bounded(runs: readonly MonitorRun[]): readonly MonitorRun[] {
  const ended = runs.filter(({ state }) => state !== 'open').slice(-RUNS_ENDED_KEPT);
  const open = runs.filter(({ state }) => state === 'open').slice(-RUNS_OPEN_MAX);
  return runs.filter((run) => ended.includes(run) || open.includes(run));
}
