import type { HashIndex, HashPair, PlanTarget, RegroupPlan } from '#storage/ports/regroup-plan.ts';

/**
 * Where events go that came while rules counted which are taken back: each gets the hash that the former rules give it,
 * row by row, so that nothing is left of the hashes between. Those that stood for others before do so again. A hash that
 * the hash index does not know is an issue of its own.
 */
export function planUndo(pairs: readonly HashPair[], index: HashIndex): RegroupPlan {
  const splits = pairs.filter(
    ({ from, to }) => index.issueOf.has(from) && (index.standsFor.get(from) ?? from) !== to,
  );
  const moves = new Map<string, PlanTarget>();
  const largest = new Map<string, number>();
  for (const { from, to, events } of splits) {
    const origin = index.issueOf.get(from);
    if (index.issueOf.has(to) || origin === undefined || events <= (largest.get(to) ?? 0)) continue;
    largest.set(to, events);
    moves.set(to, { kind: 'new', key: to, from: origin });
  }
  return {
    successors: new Map(),
    moves: [...moves].map(([hash, target]) => ({ hash, target })),
    dissolved: [],
    splits: splits.filter(({ to }) => index.issueOf.has(to) || moves.has(to)),
    titles: [],
  };
}
