import type { FrameView } from './frame-view.ts';

/** `checkout/cart.ts:84:12`, as far as it is known; the library or the address where there is no file. */
export function framePlace(
  frame: Pick<FrameView, 'place' | 'line' | 'column' | 'library' | 'address'>,
): string {
  const file = frame.place || frame.library || frame.address;
  if (!frame.place || frame.line === null) return file;
  return frame.column === null ? `${file}:${frame.line}` : `${file}:${frame.line}:${frame.column}`;
}
