import type { DumpModule } from './read-modules.ts';

/** In the order of their addresses, as `moduleAt` needs them. */
export const inOrder = (modules: readonly DumpModule[]): readonly DumpModule[] =>
  [...modules].sort((a, b) => (a.base < b.base ? -1 : a.base > b.base ? 1 : 0));

/** The module that holds an address; null outside all of them. */
export function moduleAt(at: bigint, modules: readonly DumpModule[]): DumpModule | null {
  let low = 0;
  let high = modules.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((modules[middle]?.base ?? 0n) <= at) low = middle + 1;
    else high = middle;
  }
  const module = modules[low - 1];
  return module && at < module.base + BigInt(module.size) ? module : null;
}
