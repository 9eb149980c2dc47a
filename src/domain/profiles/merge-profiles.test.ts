import { describe, expect, test } from 'vitest';
import {
  COMPARED_FUNCTIONS_MAX,
  COMPARED_PROFILES_MIN,
  COMPARED_SAMPLES_MIN,
  compareFunctions,
  mostChanged,
} from './compare-functions.ts';
import { orderByWeight } from './flame-graph.ts';
import { type MergedProfile, ProfileMerger } from './merge-profiles.ts';
import { PROFILE_DEPTH_MAX, parseProfile } from './parse-profile.ts';
import { PROFILE_FRAMES_MAX } from './profile-frames.ts';
import { hideLibraryFrames, PROFILE_NODES_MAX } from './thread-profile.ts';
import { weighCalls } from './weigh-calls.ts';

const STEP_MS = 10;

type Call = { name: string; line?: number; isLibrary?: boolean };

/** A profile of stacks, the outermost call first, 10 ms each; the last stack only ends the one before. */
function profileOf(stacks: readonly (readonly (string | Call)[])[], change: object = {}): object {
  const frames: object[] = [];
  const sent = stacks.map((stack) =>
    stack
      .map((call) => {
        const { name, line, isLibrary } = typeof call === 'string' ? { name: call } : (call as Call);
        return (
          frames.push({
            function: name,
            filename: 'shop.py',
            lineno: line ?? 1,
            in_app: isLibrary !== true,
          }) - 1
        );
      })
      .reverse(),
  );
  return {
    version: '1',
    platform: 'python',
    transaction: { active_thread_id: '1' },
    profile: {
      frames,
      stacks: sent,
      samples: sent.map((_, index) => ({
        elapsed_since_start_ns: String(index * STEP_MS * 1_000_000),
        thread_id: '1',
        stack_id: index,
      })),
    },
    ...change,
  };
}

function merge(bodies: readonly object[], platform = 'python'): MergedProfile {
  const merger = new ProfileMerger(platform);
  for (const body of bodies) {
    const parsed = parseProfile(body);
    if (!parsed) throw new Error('It could not be read');
    merger.add(parsed);
  }
  return merger.finish();
}

const byName = ({ thread, functions }: MergedProfile) =>
  Object.fromEntries(functions.map((row) => [thread.frames[row.frame]?.name, row]));

describe('profiles that are merged', () => {
  test('have every path once, with its time in all of them, the longest at the left', () => {
    const merged = merge([
      profileOf([['main', 'load'], ['main', 'load'], ['main', 'price'], ['main']]),
      profileOf([['main', 'price'], ['main', 'price'], ['main', 'price'], ['main']]),
    ]);
    expect(merged).toMatchObject({ profiles: 2, samples: 6 });
    const { main, load, price } = byName(merged);
    expect(main).toMatchObject({ selfUs: 0, totalUs: 60_000, samples: 6, totalsUs: [30_000, 30_000] });
    expect(load).toMatchObject({ selfUs: 20_000, totalUs: 20_000, selfSamples: 2, totalsUs: [20_000] });
    expect(price).toMatchObject({ selfUs: 40_000, totalsUs: [10_000, 30_000] });
    const graph = orderByWeight(weighCalls(merged.thread));
    expect(
      graph.nodes.map((node) => merged.thread.frames[merged.thread.nodes.frames[node] ?? -1]?.name),
    ).toEqual(['main', 'price', 'load']);
    expect(graph.widthUs).toBe(60_000);
  });

  test('are of the thread of the transaction, or of all threads of a chunk', () => {
    const other = { elapsed_since_start_ns: '0', thread_id: '2', stack_id: 0 };
    const body = profileOf([['main'], ['main']]) as { profile: { samples: object[] } };
    body.profile.samples.push(other, { ...other, elapsed_since_start_ns: '90000000' });
    expect(merge([body]).samples).toBe(1);
    const chunk = {
      ...body,
      version: '2',
      profile: {
        ...body.profile,
        samples: ['1', '2'].flatMap((thread) =>
          [100, 100.01].map((timestamp) => ({ timestamp, thread_id: thread, stack_id: 0 })),
        ),
      },
    };
    expect(merge([chunk]).samples).toBe(2);
  });

  test('count a function that calls itself once for each moment', () => {
    const merged = merge([
      profileOf([
        ['a', 'b', 'a', 'b'],
        ['a', 'b', 'a', 'b'],
      ]),
    ]);
    expect(byName(merged)).toMatchObject({
      a: { selfUs: 0, totalUs: 10_000, totalsUs: [10_000] },
      b: { selfUs: 10_000, totalUs: 10_000, samples: 1 },
    });
  });

  test('know a function whose lines moved, and tell those without a name apart', () => {
    const merged = merge([
      profileOf([
        [
          { name: 'load', line: 1 },
          { name: '<anonymous>', line: 2 },
        ],
        ['load'],
      ]),
      profileOf([
        [
          { name: 'load', line: 5 },
          { name: '<anonymous>', line: 7 },
        ],
        ['load'],
      ]),
    ]);
    expect(merged.thread.frames.map(({ name }) => name)).toEqual(['load', '<anonymous>', '<anonymous>']);
    const minified = [3, 4].map((line) =>
      profileOf([
        [
          { name: 't', line },
          { name: 'render', line },
        ],
        ['t'],
      ]),
    );
    expect(merge(minified, 'javascript').thread.frames.map(({ name }) => name)).toEqual(['t', 'render', 't']);
  });

  test('have their library frames hidden as one has', () => {
    const merged = merge([profileOf([['main', { name: 'query', isLibrary: true }], ['main']])]);
    const { nodes, frames } = hideLibraryFrames(merged.thread);
    expect(nodes.frames.map((frame) => frames[frame]?.name)).toEqual(['main']);
  });
});

describe('hostile profiles', () => {
  test('with time that runs backward, stands still or is none add nothing that is negative', () => {
    const times = ['50000000', '-5', '0', 'NaN', '50000000', '1e400', {}, '20000000', null];
    const body = profileOf([['a']]) as { profile: object };
    const merged = merge([
      {
        ...body,
        profile: {
          ...body.profile,
          samples: times.map((at) => ({ elapsed_since_start_ns: at, thread_id: '1', stack_id: 0 })),
        },
      },
    ]);
    expect(merged).toMatchObject({ samples: 2, thread: { durationUs: 50_000 } });
    expect(merged.functions.every(({ selfUs, totalUs }) => selfUs >= 0 && totalUs >= 0)).toBe(true);
  });

  test('with stacks that call themselves end at the deepest call', () => {
    const cycle = Array.from({ length: 5_000 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
    const merged = merge([profileOf([cycle, cycle])]);
    expect(merged.thread.nodes.frames).toHaveLength(PROFILE_DEPTH_MAX);
    expect(merged.thread.isCut).toBe(true);
    expect(byName(merged)).toMatchObject({ a: { totalUs: 10_000 }, b: { totalUs: 10_000 } });
  });

  test('with more frames than fit are bounded, and what fits is kept', () => {
    const merger = new ProfileMerger('python');
    for (let part = 0; part < 4; part++) {
      const stacks = Array.from({ length: 250 }, (_, stack) => [
        'main',
        ...Array.from({ length: 100 }, (__, depth) => `f${part}_${stack}_${depth}`),
      ]);
      const parsed = parseProfile(profileOf(stacks));
      if (parsed) merger.add(parsed);
    }
    const merged = merger.finish();
    expect(merged.thread.frames).toHaveLength(PROFILE_FRAMES_MAX);
    expect(merged.thread.nodes.parents.length).toBeLessThanOrEqual(PROFILE_NODES_MAX);
    expect(merged.thread.isCut).toBe(true);
    expect(byName(merged).main?.totalsUs).toHaveLength(4);
  });

  test('without a thread, or with one sample, add nothing', () => {
    const merger = new ProfileMerger('python');
    for (const body of [profileOf([]), profileOf([['a']]), profileOf([[], [], []])]) {
      const parsed = parseProfile(body);
      expect(parsed && merger.add(parsed)).toBe(false);
    }
    expect(merger.finish()).toMatchObject({ profiles: 0, samples: 0, functions: [] });
  });
});

describe('functions that are compared', () => {
  /** So many profiles of 20 samples, of which `slow` has some. */
  const side = (profiles: number, slow: number, name = 'slow') =>
    merge(
      Array.from({ length: profiles }, () =>
        profileOf([
          ...Array.from({ length: slow }, () => ['main', { name, line: profiles }]),
          ...Array.from({ length: 20 - slow }, () => ['main', 'rest']),
          ['main'],
        ]),
      ),
    );
  const found = (before: MergedProfile, after: MergedProfile, name = 'slow') =>
    compareFunctions('python', before, after).find(({ frame }) => frame.name === name);

  test('have their shares, the change in points and the ratio', () => {
    expect(found(side(10, 4), side(12, 8))).toMatchObject({
      before: { share: 0.2, samples: 40, selfUsPerProfile: 40_000 },
      after: { share: 0.4, samples: 96, selfUsPerProfile: 80_000 },
      change: 0.2,
      ratio: 2,
    });
    expect(compareFunctions('python', side(10, 4), side(12, 8)).map(({ frame }) => frame.name)).toEqual([
      'slow',
      'rest',
    ]);
  });

  test('have no ratio with too few samples on a side, and no change with too few profiles', () => {
    const few = COMPARED_SAMPLES_MIN / 10 - 1;
    expect(found(side(10, few), side(10, 10))).toMatchObject({ change: 0.4, ratio: null });
    expect(found(side(10, 4, 'gone'), side(10, 4))).toMatchObject({ before: { samples: 0 }, ratio: null });
    expect(found(side(10, 1), side(10, 2))).toMatchObject({ change: null, ratio: null });
    const profiles = COMPARED_PROFILES_MIN - 1;
    expect(found(side(profiles, 19), side(100, 4))).toMatchObject({ change: null, ratio: null });
    expect(compareFunctions('python', side(0, 0), side(0, 0))).toEqual([]);
  });

  test('are bounded to those that changed most', () => {
    const many = (share: number) =>
      merge(
        Array.from({ length: 5 }, () =>
          profileOf([
            ...Array.from({ length: 300 }, (_, index) => [`f${index}`]),
            ...Array.from({ length: share }, () => ['grew']),
            ['end'],
          ]),
        ),
      );
    const rows = mostChanged(compareFunctions('python', many(10), many(100)));
    expect(rows).toHaveLength(COMPARED_FUNCTIONS_MAX);
    expect(rows[0]?.frame.name).toBe('grew');
  });
});
