import { formatExact } from '#ui/format-number.ts';

/** `1 of 2 frames shows no source`, `None of the 3 frames shows its source`. */
export function withoutWords(without: number, frames: number): string {
  if (frames === 1) return 'The frame shows no source';
  if (without === frames) return `None of the ${formatExact(frames)} frames shows its source`;
  return `${formatExact(without)} of ${formatExact(frames)} frames ${without === 1 ? 'shows' : 'show'} no source`;
}
