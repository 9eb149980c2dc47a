import { describe, expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import { FLAME_BOXES_MAX, type FlameGraph, orderByTime, orderByWeight } from './flame-graph.ts';
import {
  PROFILE_DEPTH_MAX,
  PROFILE_SAMPLES_MAX,
  PROFILE_THREADS_MAX,
  parseProfile,
} from './parse-profile.ts';
import { isLibraryFile, PROFILE_FRAMES_MAX } from './profile-frames.ts';
import { recordThread } from './record-thread.ts';
import { hideLibraryFrames, PROFILE_NODES_MAX, type ThreadProfile } from './thread-profile.ts';
import { weighCalls, weighFunctions } from './weigh-calls.ts';

const MS = 1_000;

/** Python: a request that calls the database twice, with its own code in between. Every 10 ms. */
const FRAMES = [
  { function: 'handle', module: 'shop.views', filename: 'shop/views.py', lineno: 10, in_app: true },
  { function: 'checkout', module: 'shop.cart', filename: 'shop/cart.py', lineno: 20, in_app: true },
  { function: 'execute', module: 'psycopg', filename: 'psycopg/cursor.py', lineno: 5, in_app: false },
  { function: 'recv', filename: '/usr/lib/python3.12/socket.py', lineno: 700 },
  { function: 'checkout', module: 'shop.cart', filename: 'shop/cart.py', lineno: 24, in_app: true },
];
/** Innermost first. */
const STACKS = [[0], [1, 0], [3, 2, 1, 0], [3, 2, 4, 0]];
const sample = (ms: number, stack: unknown, thread: unknown = '1') => ({
  elapsed_since_start_ns: String(ms * 1_000_000),
  thread_id: thread,
  stack_id: stack,
});
const v1 = (samples: readonly unknown[], change: object = {}) => ({
  version: '1',
  platform: 'python',
  transaction: { id: 'a', name: '/checkout', active_thread_id: '1' },
  profile: { frames: FRAMES, stacks: STACKS, samples, thread_metadata: { 1: { name: 'MainThread' } } },
  ...change,
});
const SAMPLES = [
  sample(0, 0),
  sample(10, 1),
  sample(20, 2),
  sample(30, 2),
  sample(40, 1),
  sample(50, 3),
  sample(60, 0),
  sample(70, 0),
];

function open(body: unknown, id?: string): ThreadProfile {
  const profile = parseProfile(body);
  const samples = profile?.threads.find((thread) => id === undefined || thread.id === id);
  if (!profile || !samples) throw new Error('It could not be read');
  return recordThread([{ profile, samples, shiftUs: 0 }], { platform: 'python', originUs: 0, window: null });
}

const drawn = (thread: ThreadProfile, graph: FlameGraph) =>
  graph.nodes.map((node, box) => [
    '  '.repeat(graph.depths[box] ?? 0) + thread.frames[thread.nodes.frames[node] ?? -1]?.name,
    (graph.fromUs[box] ?? 0) / MS,
    (graph.toUs[box] ?? 0) / MS,
  ]);

describe('a profile of a transaction', () => {
  test('has its threads, the busiest first, with their names, and the one that the transaction ran on', () => {
    const profile = parseProfile(v1([sample(0, 0, 7), ...SAMPLES]));
    expect(profile?.threads.map(({ id, name }) => [id, name])).toEqual([
      ['1', 'MainThread'],
      ['7', null],
    ]);
    expect(profile?.activeThreadId).toBe('1');
    expect(profile?.version).toBe(1);
  });

  test('by time: a call goes on from sample to sample, whichever line it is at; the last sample only ends', () => {
    const thread = open(v1(SAMPLES.toReversed()));
    expect(drawn(thread, orderByTime(thread))).toEqual([
      ['handle', 0, 70],
      ['  checkout', 10, 60],
      ['    execute', 20, 40],
      ['      recv', 20, 40],
      ['    execute', 50, 60],
      ['      recv', 50, 60],
    ]);
    expect(thread.durationUs).toBe(70 * MS);
  });

  test('by weight: every path once, the longest at the left', () => {
    const thread = open(v1([...SAMPLES, sample(80, 2), sample(90, 2)]));
    const weights = weighCalls(thread);
    expect(drawn(thread, orderByWeight(weights))).toEqual([
      ['handle', 0, 90],
      ['  checkout', 0, 60],
      ['    execute', 0, 40],
      ['      recv', 0, 40],
    ]);
    const node = thread.nodes.frames.findIndex((frame) => thread.frames[frame]?.name === 'checkout');
    expect(weights.selfUs[node]).toBe(20 * MS);
    expect(weights.samples[node]).toBe(6);
  });

  test('its functions: self and total, and a function that calls itself is counted once', () => {
    const frames = [{ function: 'walk' }, { function: 'read' }];
    const stacks = [[0], [0, 0], [1, 0, 0]];
    const samples = [sample(0, 0), sample(10, 1), sample(20, 2), sample(40, 0), sample(50, 0)];
    const thread = open({ ...v1([]), profile: { frames, stacks, samples } });
    const rows = weighFunctions(thread, weighCalls(thread));
    expect(rows.map(({ frame, ...row }) => ({ name: thread.frames[frame]?.name, ...row }))).toEqual([
      { name: 'walk', selfUs: 30 * MS, totalUs: 50 * MS, samples: 4 },
      { name: 'read', selfUs: 20 * MS, totalUs: 20 * MS, samples: 1 },
    ]);
  });

  test('without library frames their time is of who called them', () => {
    const thread = hideLibraryFrames(open(v1(SAMPLES)));
    expect(drawn(thread, orderByTime(thread))).toEqual([
      ['handle', 0, 70],
      ['  checkout', 10, 60],
    ]);
    expect(thread.frames.map(({ name, isLibrary }) => [name, isLibrary])).toEqual(
      [
        ['handle', false],
        ['checkout', false],
        ['recv', true],
        ['execute', true],
      ].toSorted(([a], [b]) => order(thread, a) - order(thread, b)),
    );
  });

  test('an empty stack is a time in which nothing ran', () => {
    const thread = open({
      ...v1([]),
      profile: {
        frames: FRAMES,
        stacks: [[0], []],
        samples: SAMPLES.map((each, index) => ({ ...each, stack_id: index % 4 === 1 ? 1 : 0 })),
      },
    });
    expect(drawn(thread, orderByTime(thread))).toEqual([
      ['handle', 0, 10],
      ['handle', 20, 50],
      ['handle', 60, 70],
    ]);
    expect(weighCalls(thread).runningUs).toBe(50 * MS);
  });
});

const order = (thread: ThreadProfile, name: unknown) =>
  thread.frames.findIndex((frame) => frame.name === name);

describe('chunks of a continuous profile', () => {
  const T = 1_800_000_000;
  const chunk = (from: number, stacks: readonly number[], frames: readonly unknown[] = FRAMES) =>
    parseProfile({
      version: '2',
      platform: 'python',
      profiler_id: 'x',
      profile: {
        frames,
        stacks: STACKS,
        samples: stacks.map((stack, index) => ({
          timestamp: T + from + index * 0.01,
          thread_id: '1',
          stack_id: stack,
        })),
      },
    });
  const join = (
    chunks: readonly ReturnType<typeof chunk>[],
    window: [number, number] | null = null,
    shiftUs = 0,
  ) => {
    const parts = chunks.flatMap((profile) =>
      profile?.threads[0] ? [{ profile, samples: profile.threads[0], shiftUs }] : [],
    );
    const thread = recordThread(parts, {
      platform: 'python',
      originUs: (T + (window?.[0] ?? 0)) * 1e6 + shiftUs,
      window: window && { fromUs: (T + window[0]) * 1e6, toUs: (T + window[1]) * 1e6 },
    });
    return drawn(thread, orderByTime(thread));
  };

  test('are one, though each numbers its frames anew', () => {
    expect(join([chunk(0, [0, 0]), chunk(0.02, [1, 0, 0], [FRAMES[0], FRAMES[1]])])).toEqual([
      ['handle', 0, 40],
      ['  checkout', 20, 30],
    ]);
  });

  test('break where one is missing', () => {
    expect(join([chunk(0, [0, 0]), chunk(30, [0, 0])])).toEqual([
      ['handle', 0, 10],
      ['handle', 30_000, 30_010],
    ]);
  });

  test('are cut to a span, and follow a clock that was put right', () => {
    expect(join([chunk(0, [0, 1, 1, 0, 0])], [0.005, 0.015])).toEqual([
      ['handle', 0, 10],
      ['  checkout', 5, 10],
    ]);
    expect(join([chunk(0, [0, 0])], null, 5_000_000)).toEqual([['handle', 0, 10]]);
  });

  test('that overlap do not run backwards', () => {
    expect(join([chunk(0, [0, 0, 0]), chunk(0.01, [0, 0, 0])])).toEqual([['handle', 0, 30]]);
  });
});

test('library files are told from those of the program', () => {
  const library = [
    '',
    'node:internal/net',
    '/app/node_modules/x/y.js',
    'C:\\app\\vendor\\a.php',
    '/usr/lib/python3.12/socket.py',
    '/venv/lib/python3.11/site-packages/django/x.py',
    '<frozen importlib>',
  ];
  const own = ['src/shop.ts', '/app/shop/views.py', 'https://shop.example/assets/main.js', 'app.js'];
  expect([library.filter((file) => !isLibraryFile(file)), own.filter(isLibraryFile)]).toEqual([[], []]);
});

describe('whatever is sent', () => {
  test('what is no profile in the sample format is none', () => {
    for (const body of [
      null,
      1,
      'x',
      [],
      {},
      { profile: null },
      { profile: { samples: 1, stacks: [] } },
      { sampled_profile: 'AA' },
    ]) {
      expect(parseProfile(body)).toBeNull();
    }
  });

  test('times, indexes and names that cannot be are left out', () => {
    const body = v1([
      null,
      7,
      [],
      sample(-5, 0),
      sample(Number.NaN, 0),
      sample(1e30, 0),
      sample(1, 99),
      sample(1, -1),
      sample(1, 0.5),
      sample(1, '0'),
      sample(1, 4),
      { ...sample(2, 0), thread_id: { a: 1 } },
      sample(3, 5),
      sample(4, 5),
    ]);
    Object.assign(body.profile, {
      frames: [{ function: { a: 1 }, lineno: -4, module: 5, filename: 'x'.repeat(5_000) }, null, 'x', [1]],
      stacks: [[0], 'x', null, { length: 4 }, [1e9, -1, '0', null, 2], [0, 0, 3, 1.5]],
      thread_metadata: { 1: 'x', __proto__: null },
    });
    const profile = parseProfile(body);
    expect(profile?.threads.map(({ id, atUs }) => [id, atUs])).toEqual([
      ['1', [1_000, 3_000, 4_000]],
      ['0', [2_000]],
    ]);
    expect(profile?.stacks).toEqual([[0], [], [], [], [], [0, 0]]);
    expect(profile?.frames).toMatchObject([{ name: '<anonymous>', module: '', line: null }]);
    expect(profile?.frames[0]?.file).toHaveLength(300);
  });

  const within = (body: unknown): ThreadProfile => {
    const began = process.cpuUsage();
    const thread = open(body);
    const weights = weighCalls(thread);
    const graphs = [orderByTime(thread), orderByWeight(weights)];
    weighFunctions(thread, weights);
    hideLibraryFrames(thread);
    expect(process.cpuUsage(began).user).toBeLessThan(CPU_US_MAX);
    expect(Math.max(...graphs.map(({ nodes }) => nodes.length))).toBeLessThanOrEqual(FLAME_BOXES_MAX);
    expect(thread.nodes.parents.length).toBeLessThanOrEqual(PROFILE_NODES_MAX);
    return thread;
  };

  const CPU_US_MAX = 1_000_000;

  testInFull('a million samples', () => {
    const samples = Array.from({ length: 1_000_000 }, (_, index) =>
      sample((index * 7919) % 30_000, index % 4),
    );
    const thread = within(v1(samples));
    expect(thread.isCut).toBe(true);
    const counted = thread.runs.samples.reduce((sum, count) => sum + count, 0);
    expect(counted).toBeLessThanOrEqual(PROFILE_SAMPLES_MAX);
  });

  testInFull('stacks of endless recursion, each another', () => {
    const stacks = Array.from({ length: 4_000 }, (_, index) =>
      Array.from({ length: 2_000 }, (_, depth) => (index * 31 + depth * 17) % 997),
    );
    const frames = Array.from({ length: 997 }, (_, index) => ({ function: `f${index}` }));
    const samples = Array.from({ length: 200_000 }, (_, index) => sample(index / 10, index % stacks.length));
    const body = { ...v1([]), profile: { frames, stacks, samples } };
    const thread = within(body);
    expect([thread.isCut, orderByTime(thread).isCut]).toEqual([true, true]);
    expect(orderByTime(thread).height).toBeLessThanOrEqual(PROFILE_DEPTH_MAX);
  });

  test('more frames and threads than fit', () => {
    const frames = Array.from({ length: 300_000 }, (_, index) => ({ function: `f${index}` }));
    const stacks = frames.map((_, index) => [index]);
    const samples = stacks.map((_, index) => sample(index / 100, index, String(index % 5_000)));
    const profile = parseProfile({ ...v1([]), profile: { frames, stacks, samples } });
    expect(profile?.frames).toHaveLength(PROFILE_FRAMES_MAX);
    expect(profile?.threads).toHaveLength(PROFILE_THREADS_MAX);
    expect(profile?.isCut).toBe(true);
  });
});
