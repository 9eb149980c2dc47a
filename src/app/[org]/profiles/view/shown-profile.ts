import { type FlameGraph, orderByTime, orderByWeight } from '#domain/profiles/flame-graph.ts';
import type { ProfileFrame } from '#domain/profiles/profile-frames.ts';
import { hideLibraryFrames, type ThreadProfile } from '#domain/profiles/thread-profile.ts';
import { type CallWeights, weighCalls } from '#domain/profiles/weigh-calls.ts';
import type { View } from './use-view.ts';

/** A thread as a view shows it. */
export type ShownProfile = { thread: ThreadProfile; weights: CallWeights };

export function showProfile(whole: ThreadProfile, areLibrariesHidden: boolean): ShownProfile {
  const thread = areLibrariesHidden ? hideLibraryFrames(whole) : whole;
  return { thread, weights: weighCalls(thread) };
}

/** null in the views that are tables. */
export function graphOf({ thread, weights }: ShownProfile, view: View): FlameGraph | null {
  if (view === 'time') return orderByTime(thread);
  return view === 'left-heavy' ? orderByWeight(weights) : null;
}

/** Whether each frame, by its index, contains the text in its name, its module or its file; null for no text. */
export function findFrames(frames: readonly ProfileFrame[], text: string): readonly boolean[] | null {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return null;
  return frames.map(({ name, module, file }) => `${name}\n${module}\n${file}`.toLowerCase().includes(wanted));
}

/** How many functions match, and how long something that matches ran. Microseconds. */
export function weighMatches(
  { thread, weights }: ShownProfile,
  matches: readonly boolean[],
): { functions: number; us: number } {
  const { parents, frames } = thread.nodes;
  const isBelow: boolean[] = [];
  const found = new Set<number>();
  let us = 0;
  for (const [node, frame] of frames.entries()) {
    const parent = parents[node] as number;
    const isWithin = parent >= 0 && isBelow[parent] === true;
    const isMatch = matches[frame] === true;
    if (isMatch) found.add(frame);
    if (isMatch && !isWithin) us += weights.totalUs[node] as number;
    isBelow[node] = isMatch || isWithin;
  }
  return { functions: found.size, us };
}

/** `shop/cart.py:20`; empty when the file is unknown. */
export const placeOfFrame = ({ file, line }: ProfileFrame): string =>
  file === '' || line === null ? file : `${file}:${line}`;

/** `12.3%`. */
export const formatShare = (part: number, whole: number): string =>
  `${whole > 0 ? Number(((part / whole) * 100).toFixed(1)) : 0}%`;
