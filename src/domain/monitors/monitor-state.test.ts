import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#lib/time.ts';
import {
  dueAt,
  type IngestGap,
  type MonitorFact,
  type MonitorState,
  MonitorSteps,
  NEW_STATE,
  RUNS_MISSED_PER_STEP_MAX,
  type WatchSettings,
} from './monitor-state.ts';
import { openRunTimes } from './run-times.ts';

const NOON = Date.parse('2026-03-10T12:00:00Z');
const at = (minutes: number) => NOON + minutes * MINUTE_MS;
const SETTINGS: WatchSettings = {
  times: openRunTimes({ type: 'crontab', value: '*/10 * * * *' }, 'UTC'),
  marginMs: MINUTE_MS,
  maxRuntimeMs: 5 * MINUTE_MS,
  failureThreshold: 1,
  recoveryThreshold: 1,
  isMuted: false,
};

/** Steps through what happens, each entry in a process of its own, as after a restart. */
class Life {
  state: MonitorState = NEW_STATE;
  facts: MonitorFact[] = [];
  settings: WatchSettings;
  gaps: IngestGap[] = [];

  constructor(settings: Partial<WatchSettings> = {}) {
    this.settings = { ...SETTINGS, ...settings };
  }

  #step(work: (steps: MonitorSteps) => void): this {
    const steps = new MonitorSteps('1', this.settings, this.gaps, this.state);
    work(steps);
    this.state = steps.result.state;
    this.facts.push(...steps.result.facts);
    return this;
  }

  to = (minutes: number) => this.#step((steps) => steps.advance(at(minutes)));
  says = (status: 'ok' | 'error' | 'in_progress', minutes: number, checkInId: string | null = null) =>
    this.#step((steps) => steps.checkIn({ status, at: at(minutes), checkInId, traceId: null }));
  reschedule = (minutes: number) => this.#step((steps) => steps.reschedule(at(minutes)));

  get found(): string[] {
    return this.facts.map((fact) =>
      fact.kind === 'found'
        ? `${fact.status} ${(fact.at - NOON) / MINUTE_MS}`
        : fact.kind === 'failed'
          ? `issue: ${fact.reason}, ${fact.inARow}`
          : 'recovered',
    );
  }
}

describe('a monitor', () => {
  test('misses nothing before its first check-in', () => {
    expect(new Life().to(10_000).found).toEqual([]);
  });

  test('misses each run once, when its margin is over', () => {
    const life = new Life().says('ok', 0.1).to(11);
    expect(life.found).toEqual([]);
    expect(life.to(11.01).to(11.02).to(20.9).found).toEqual(['missed 10', 'issue: missed, 1']);
    expect(life.to(31.5).found.slice(2)).toEqual([
      'missed 20',
      'issue: missed, 2',
      'missed 30',
      'issue: missed, 3',
    ]);
  });

  test('is failing after as many failures in a row, and recovers after as many successes', () => {
    const life = new Life({ failureThreshold: 2, recoveryThreshold: 2 });
    life.says('ok', 0).says('error', 10).says('ok', 20).says('error', 30);
    expect(life.found).toEqual([]);
    expect(life.to(41.5).found).toEqual(['missed 40', 'issue: missed, 2']);
    expect(life.says('ok', 50).says('error', 60).says('ok', 70).found.slice(2)).toEqual(['issue: error, 1']);
    expect(life.says('ok', 80).found.slice(3)).toEqual(['recovered']);
    expect(life.state.incident).toBeNull();
  });

  test('times out a run that does not end, unless a later one has', () => {
    const late = new Life().says('in_progress', 0, 'a').to(5.1);
    expect(late.found).toEqual(['timeout 5', 'issue: timeout, 1']);
    // Its end comes too late to count, and the next run counts.
    expect(late.says('ok', 6, 'a').state.incident).not.toBeNull();
    expect(late.says('ok', 10, 'b').found.at(-1)).toBe('recovered');
    const overtaken = new Life().says('in_progress', 0, 'a').says('in_progress', 1, 'b').says('ok', 2, 'b');
    expect(overtaken.to(9).found).toEqual(['timeout 5']);
  });

  test('ends the latest run that is open when a check-in has no id', () => {
    const life = new Life().says('in_progress', 0).says('ok', 3);
    expect(life.state.runs).toEqual([]);
    expect(life.to(9).found).toEqual([]);
  });

  test('counts an end that is sent twice once', () => {
    const life = new Life({ failureThreshold: 2 }).says('in_progress', 0, 'a');
    expect(life.says('error', 1, 'a').says('error', 1, 'a').state.failures).toBe(1);
  });

  test('takes a run that begins a few seconds early for the one that is due', () => {
    const life = new Life().says('ok', 0).says('in_progress', 9.9, 'a').says('ok', 9.95, 'a');
    expect(life.to(19).found).toEqual([]);
    expect(life.to(21.5).found).toEqual(['missed 20', 'issue: missed, 1']);
  });

  test('binds a run that comes too late to nothing: the next is still expected', () => {
    const life = new Life().says('ok', 0).to(12).says('ok', 13);
    expect(life.found).toEqual(['missed 10', 'issue: missed, 1', 'recovered']);
    expect(life.to(21.5).found.slice(3)).toEqual(['missed 20', 'issue: missed, 1']);
  });

  test('expects no new run while one that took long was heard of', () => {
    const life = new Life({ maxRuntimeMs: 60 * MINUTE_MS }).says('in_progress', 0, 'a').says('ok', 10.5, 'a');
    expect(life.to(20.5).found).toEqual([]);
  });

  test('of an interval expects the next so long after the last was heard of', () => {
    const times = openRunTimes({ type: 'interval', value: 10, unit: 'minute' }, 'UTC');
    const life = new Life({ times }).says('in_progress', 0, 'a').says('ok', 4, 'a').to(14.9);
    expect(life.found).toEqual([]);
    expect(life.to(15.1).to(24.9).found).toEqual(['missed 14', 'issue: missed, 1']);
  });

  test('without a schedule only notes that it was heard of', () => {
    const life = new Life({ times: null }).says('error', 0).says('in_progress', 1, 'a').to(10_000);
    expect(life.found).toEqual([]);
    expect(life.state).toMatchObject({ firstCheckInAt: NOON, lastCheckInAt: at(1), runs: [] });
    expect(dueAt(life.state)).toBeNull();
  });

  test('that is muted tells nobody, and its recovery is nobody’s', () => {
    const life = new Life({ isMuted: true }).says('ok', 0).to(12).says('ok', 13);
    expect(life.found).toEqual(['missed 10']);
    // Unmuted while it fails, it is told from then on.
    const unmuted = new Life({ isMuted: true }).says('ok', 0).to(12);
    unmuted.settings = SETTINGS;
    expect(unmuted.to(22).says('ok', 23).found.slice(1)).toEqual([
      'missed 20',
      'issue: missed, 2',
      'recovered',
    ]);
  });

  test('is rescheduled from a moment on', () => {
    const life = new Life().says('ok', 0);
    life.settings = { ...SETTINGS, times: openRunTimes({ type: 'crontab', value: '0 * * * *' }, 'UTC') };
    expect(life.reschedule(5).to(60.9).found).toEqual([]);
    expect(life.to(61.5).found).toEqual(['missed 60', 'issue: missed, 1']);
  });
});

describe('what could not be received', () => {
  const gap = (from: number, to: number): IngestGap => ({ fromMs: at(from), toMs: at(to) });

  test('is unknown, neither missed nor late', () => {
    const life = new Life().says('ok', 0).says('in_progress', 1, 'a');
    life.gaps = [gap(4, 35)];
    expect(life.to(36).found).toEqual(['unknown 6', 'unknown 10', 'unknown 20', 'unknown 30']);
    expect(life.state.failures).toBe(0);
    expect(life.to(41.5).found.at(-1)).toBe('issue: missed, 1');
  });

  test('is what was heard of after the gap', () => {
    const life = new Life();
    life.gaps = [gap(-60, 9.6)];
    expect(life.says('ok', 9.8).says('ok', 20).to(31.5).found).toEqual(['missed 30', 'issue: missed, 1']);
    const soon = new Life({ times: openRunTimes({ type: 'crontab', value: '* * * * *' }, 'UTC') });
    soon.gaps = [gap(-60, 0.6)];
    expect(soon.says('ok', 0.7).to(2.5).found).toEqual(['missed 1', 'issue: missed, 1']);
  });

  test('moves an interval to the end of the gap', () => {
    const times = openRunTimes({ type: 'interval', value: 10, unit: 'minute' }, 'UTC');
    const life = new Life({ times }).says('ok', 0);
    life.gaps = [gap(5, 33)];
    expect(life.to(43.9).found).toEqual(['unknown 10']);
    expect(life.to(44.5).found.slice(1)).toEqual(['missed 43', 'issue: missed, 1']);
  });

  test('of a year makes no flood', () => {
    const life = new Life().says('ok', 0);
    life.gaps = [gap(5, 500_000)];
    life.to(500_000);
    expect(life.found.length).toBeLessThanOrEqual(RUNS_MISSED_PER_STEP_MAX);
    expect(life.state.nextExpectedAt).toBeGreaterThanOrEqual(at(500_000));
  });
});

test('a clock that is put back lets the monitor go on by it, and tells no run by another id', () => {
  const life = new Life().says('ok', 1_000).to(1_012);
  const first = life.facts.filter(({ kind }) => kind === 'found');
  life.says('ok', 0).says('ok', 10).to(22);
  expect(life.found.slice(2)).toContain('missed 20');
  life.says('ok', 1_000).to(1_012);
  const again = life.facts.filter((fact) => fact.kind === 'found' && fact.at === at(1_010));
  expect(again).toEqual([...first, ...first]);
});

type Happening = { minutes: number; status: 'ok' | 'error' | 'in_progress'; checkInId: string | null };

describe('whatever happens', () => {
  const event: fc.Arbitrary<Happening> = fc.record({
    minutes: fc.double({ min: 0, max: 300, noNaN: true }),
    status: fc.constantFrom('ok', 'error', 'in_progress'),
    checkInId: fc.constantFrom(null, 'a', 'b', 'c', 'd'),
  });
  const events = fc
    .array(event, { maxLength: 25 })
    .map((all) => [...all].sort((a, b) => a.minutes - b.minutes));
  const looks = fc
    .array(fc.double({ min: 0, max: 300, noNaN: true }), { maxLength: 40 })
    .map((all) => [...all].sort((a, b) => a - b));

  const play = (happens: readonly Happening[], watched: readonly number[]) => {
    const life = new Life({ failureThreshold: 2, recoveryThreshold: 2 });
    const left = [...watched];
    for (const { minutes, status, checkInId } of happens) {
      for (; (left[0] ?? Number.POSITIVE_INFINITY) <= minutes; left.shift()) life.to(left[0]!);
      life.says(status, minutes, checkInId);
    }
    for (const minutes of left) life.to(minutes);
    return life.to(301);
  };

  test('facts are the same however often, and by how many processes, it was looked at', () => {
    fc.assert(
      fc.property(events, looks, (happens, watched) => {
        const often = play(happens, watched);
        const once = play(happens, []);
        expect(often.facts).toEqual(once.facts);
        expect(often.state).toEqual(once.state);
      }),
      { numRuns: 300 },
    );
  });

  test('no run is told twice, and a run that is missed had no check-in in its time', () => {
    fc.assert(
      fc.property(events, looks, (happens, watched) => {
        const { facts } = play(happens, watched);
        const missed = facts.flatMap((fact) =>
          fact.kind === 'found' && fact.status === 'missed' ? [fact.at] : [],
        );
        expect(new Set(missed).size).toBe(missed.length);
        for (const dueMs of missed) {
          expect(
            happens.filter(
              ({ minutes, checkInId }) =>
                checkInId === null && at(minutes) >= dueMs && at(minutes) <= dueMs + MINUTE_MS,
            ),
          ).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
