import { describe, expect, it } from 'vitest';
import { foldFrames, guiltyFrame, type StackRow } from './fold-frames.ts';
import type { FrameView } from './frame-view.ts';

function stack(pattern: string): FrameView[] {
  return [...pattern].map((letter, index) => ({
    index,
    functionName: `f${index}`,
    place: '',
    fullPath: '',
    line: null,
    column: null,
    isInApp: letter === 'A',
    library: '',
    address: '',
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

describe('guiltyFrame', () => {
  it('is the last call in the own code, else the last call', () => {
    expect(guiltyFrame(stack('ALALL'))?.index).toBe(2);
    expect(guiltyFrame(stack('LLL'))?.index).toBe(2);
    expect(guiltyFrame(stack(''))).toBeNull();
  });
});
