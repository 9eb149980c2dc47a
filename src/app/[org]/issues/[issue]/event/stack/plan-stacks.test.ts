import { describe, expect, it } from 'vitest';
import { type FrameView, stackView } from './frame-view.ts';
import {
  CHARACTERS_SHOWN_MAX,
  FRAMES_SHOWN_MAX,
  foldFrames,
  planStacks,
  type StackRow,
} from './plan-stacks.ts';

const own = (count: number, source = '') =>
  stackView({
    frames: Array.from({ length: count }, () => ({ function: 'f', in_app: true, context_line: source })),
  });

describe('the stacks of a page', () => {
  it('are whole when they are small', () => {
    const [plan, none] = planStacks([own(20), null], 'newest', false);
    expect([plan?.rows.length, plan?.left, none]).toEqual([20, 0, null]);
  });

  it('hold a bounded number of frames together', () => {
    const plans = planStacks([own(80), own(80), own(10)], 'newest', false);
    expect(plans.map((plan) => [plan?.rows.length, plan?.left])).toEqual([
      [80, 0],
      [20, 60],
      [0, 10],
    ]);
    const shown = plans.reduce((sum, plan) => sum + (plan?.rows.length ?? 0), 0);
    expect(shown).toBe(FRAMES_SHOWN_MAX);
  });

  it('hold a bounded number of characters together', () => {
    const [plan] = planStacks([own(100, 'x'.repeat(2_000))], 'newest', false);
    // Lines are cut to about a thousand characters.
    expect(plan?.rows.length).toBe(Math.floor(CHARACTERS_SHOWN_MAX / 1_002));
    expect(plan?.left).toBe(1);
  });

  it('count the frames that a folded row holds', () => {
    const library = Array.from({ length: FRAMES_SHOWN_MAX }, () => ({ function: 'l', in_app: false }));
    const stack = stackView({ frames: [...library, { function: 'f', in_app: true }] });
    const [plan] = planStacks([stack], 'newest', false);
    expect([plan?.rows.length, plan?.left]).toEqual([1, 1]);
  });
});

function stack(pattern: string): FrameView[] {
  return [...pattern].map((letter, index) => ({
    index,
    functionName: `f${index}`,
    place: '',
    fullPath: '',
    line: null,
    column: null,
    isInApp: letter === 'A',
    isCrash: false,
    library: '',
    address: '',
    isScanned: false,
    source: [],
    problem: null,
    repositoryHref: null,
    variables: [],
  }));
}

const shape = (rows: readonly StackRow[]) =>
  rows.map((row) => (row.kind === 'frame' ? row.frame.index : `${row.frames.length} of libraries`)).join(' ');

describe('foldFrames', () => {
  it('folds runs of library frames and says how many', () => {
    expect(shape(foldFrames(stack('ALLLALLA'), 'newest', false))).toBe('7 2 of libraries 4 3 of libraries 0');
    expect(shape(foldFrames(stack('ALLLALLA'), 'oldest', false))).toBe('0 3 of libraries 4 2 of libraries 7');
  });

  it('keeps the frame that was called last, though it is of a library', () => {
    expect(shape(foldFrames(stack('ALLL'), 'newest', false))).toBe('3 2 of libraries 0');
  });

  it('does not fold a single library frame', () => {
    expect(shape(foldFrames(stack('ALA'), 'newest', false))).toBe('2 1 0');
  });

  it('folds nothing when nothing is of the program, or when all are asked for', () => {
    expect(shape(foldFrames(stack('LLL'), 'newest', false))).toBe('2 1 0');
    expect(shape(foldFrames(stack('ALLLA'), 'newest', true))).toBe('4 3 2 1 0');
  });

  it('loses no frame', () => {
    const frames = stack('LLALLLALLLLAALL');
    const shown = foldFrames(frames, 'newest', false).flatMap((row) =>
      row.kind === 'frame' ? [row.frame.index] : row.frames.map((frame) => frame.index),
    );
    expect(shown.sort((a, b) => a - b)).toEqual(frames.map((frame) => frame.index));
  });
});
