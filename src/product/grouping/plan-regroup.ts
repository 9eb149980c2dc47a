import type { HashPair } from '#storage/ports/regroup-events.ts';
import type { HashIndex, PlanTarget, RegroupPlan } from './grouping-change.ts';

/**
 * What new hashes of stored events do to the hash index, decided as little as possible against what is there:
 *
 * - The new hash of most of an old hash's events is its heir. An old hash that some events keep is its own heir. Stored
 *   hashes that stand for one and the same hash since an earlier regroup are that one hash here.
 * - A new hash that the hash index knows leads where it led, unless all of its own events left it. One that is an heir leads to
 *   the issue that most of its events come from. Any other was split off and gets an issue of its own.
 * - Events stay stored as they are where the stored hash may stand for the new one; it then leads where that one leads.
 * - Hashes without events go with the others of their issue; an issue that no hash leads to any more is dissolved into
 *   the one that most of its events went to.
 */
export function planRegroup(summed: readonly HashPair[], index: HashIndex): RegroupPlan {
  // Of an issue that was deleted meanwhile, events may be on their way out.
  const pairs = summed.filter(({ from }) => index.issueOf.has(from));
  const heirs = chooseHeirs(pairs, index);
  const successors = chooseSuccessors(pairs, index);
  const targets = chooseTargets(pairs, heirs, index);
  const splits = pairs.filter((pair) => pair.to !== pair.from && successors.get(pair.from) !== pair.to);

  const moved = new Map<string, PlanTarget>();
  const place = (hash: string, target: PlanTarget) => {
    if (target.kind === 'new' || index.issueOf.get(hash) !== target.issueId) moved.set(hash, target);
  };
  for (const [hash, target] of targets) place(hash, target);
  for (const [from, to] of successors) {
    const target = targets.get(to);
    if (target && from !== to) place(from, target);
  }
  const gone = findGone(pairs, index, moved, targets);
  for (const [hash, issueId] of index.issueOf) {
    const into = gone.get(issueId);
    if (into && !moved.has(hash)) moved.set(hash, into);
  }
  return {
    successors,
    moves: [...moved].map(([hash, target]) => ({ hash, target })),
    dissolved: [...gone].map(([issueId, into]) => ({ issueId, into })),
    splits,
    titles: titlesOf(pairs, targets),
  };
}

type Sums = Map<string, Map<string, number>>;

function add(sums: Sums, from: string, to: string, events: number): void {
  const known = sums.get(from);
  if (known) known.set(to, (known.get(to) ?? 0) + events);
  else sums.set(from, new Map([[to, events]]));
}

/** By the hash that events have, whichever they are stored with. */
function chooseHeirs(
  pairs: readonly HashPair[],
  { standsFor, heirs: earlier }: HashIndex,
): Map<string, string> {
  const sums: Sums = new Map();
  for (const { from, to, events } of pairs) add(sums, standsFor.get(from) ?? from, to, events);
  const heirs = new Map([...sums].map(([from, tos]) => [from, tos.has(from) ? from : mostOf(tos)]));
  // A few late events do not decide anew over all that an earlier round has seen.
  for (const { from } of pairs) {
    const known = earlier.get(from);
    if (known !== undefined) heirs.set(standsFor.get(from) ?? from, known);
  }
  return heirs;
}

/** What stands for a stored hash. One that other events get now cannot stand for those that left it. */
function chooseSuccessors(pairs: readonly HashPair[], { decided }: HashIndex): Map<string, string> {
  const sums: Sums = new Map();
  for (const { from, to, events } of pairs) add(sums, from, to, events);
  const given = new Set(pairs.map(({ to }) => to));
  return new Map(
    [...sums].map(([from, tos]) => [from, decided.get(from) ?? (given.has(from) ? from : mostOf(tos))]),
  );
}

function mostOf(sums: ReadonlyMap<string, number>): string {
  const [[hash] = ['']] = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return hash;
}

function chooseTargets(
  pairs: readonly HashPair[],
  heirs: ReadonlyMap<string, string>,
  { issueOf, standsFor }: HashIndex,
): Map<string, PlanTarget> {
  const inherited = new Map<string, Map<number, number>>();
  const origins = new Map<string, Map<number, number>>();
  for (const { from, to, events } of pairs) {
    const issueId = issueOf.get(from);
    if (issueId === undefined) continue;
    count(origins, to, issueId, events);
    if (heirs.get(standsFor.get(from) ?? from) === to) count(inherited, to, issueId, events);
  }
  const targets = new Map<string, PlanTarget>();
  for (const [to, issues] of origins) {
    const isLeft = standsFor.has(to) || (heirs.get(to) ?? to) !== to;
    const known = isLeft ? undefined : issueOf.get(to);
    const from = inherited.get(to);
    if (known !== undefined) targets.set(to, { kind: 'issue', issueId: known });
    else if (from) targets.set(to, { kind: 'issue', issueId: largest(from) });
    else targets.set(to, { kind: 'new', key: to, from: largest(issues) });
  }
  return targets;
}

function count(sums: Map<string, Map<number, number>>, hash: string, issueId: number, events: number): void {
  const known = sums.get(hash);
  if (known) known.set(issueId, (known.get(issueId) ?? 0) + events);
  else sums.set(hash, new Map([[issueId, events]]));
}

/** Of several with as many events, the oldest issue. */
function largest(sums: ReadonlyMap<number, number>): number {
  const [[issueId] = [0]] = [...sums].sort(([a, x], [b, y]) => y - x || a - b);
  return issueId;
}

/** Issues all of whose hashes with events go elsewhere, and where most of their events go. */
function findGone(
  pairs: readonly HashPair[],
  { issueOf, counted }: HashIndex,
  moved: ReadonlyMap<string, PlanTarget>,
  targets: ReadonlyMap<string, PlanTarget>,
): Map<number, PlanTarget> {
  const sums = new Map<number, Map<string, { target: PlanTarget; events: number }>>();
  for (const { from, to, events } of pairs) {
    const issueId = issueOf.get(from);
    const target = targets.get(to);
    if (issueId === undefined || !target) continue;
    const sum = sums.get(issueId) ?? new Map();
    sums.set(issueId, sum);
    const key = target.kind === 'new' ? target.key : String(target.issueId);
    sum.set(key, { target, events: (sum.get(key)?.events ?? 0) + events });
  }
  const staying = new Set<number>();
  for (const target of targets.values()) if (target.kind === 'issue') staying.add(target.issueId);
  for (const [hash, issueId] of issueOf) if (counted.has(hash) && !moved.has(hash)) staying.add(issueId);
  const gone = new Map<number, PlanTarget>();
  for (const [issueId, sum] of sums) {
    if (staying.has(issueId)) continue;
    const [most] = [...sum.values()].sort((a, b) => b.events - a.events);
    if (most) gone.set(issueId, most.target);
  }
  return gone;
}

export function titlesOf(
  pairs: readonly HashPair[],
  targets: ReadonlyMap<string, PlanTarget>,
): RegroupPlan['titles'] {
  const newest = new Map<string, RegroupPlan['titles'][number]>();
  for (const { to, title, lastSeen } of pairs) {
    const target = targets.get(to);
    if (!target) continue;
    const key = target.kind === 'new' ? target.key : String(target.issueId);
    const known = newest.get(key);
    if (!known || lastSeen > known.lastSeen) newest.set(key, { target, title, lastSeen });
  }
  return [...newest.values()];
}

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
