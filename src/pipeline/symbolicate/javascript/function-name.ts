/** What bundlers call code of their own: no name for people. */
const USELESS = new Set(['', '<anonymous>', '?', 'anonymous', '__webpack_require__', '__webpack_modules__']);

/**
 * A function's name in the source. `around` is that of the function around the position, where the map knows functions.
 * Other maps only name what stands at a position: at the call of a function that is mostly the function called, so
 * `called` is what the calling frame's position is named. `sent` is the name in the bundle. Each is null when unknown.
 */
export function functionName(names: {
  sent: string | null;
  around: string | null;
  called: string | null;
}): string | null {
  const { sent, around, called } = names;
  if (around !== null && !USELESS.has(around)) return around;
  if (called !== null && !USELESS.has(called)) return called;
  return sent;
}
