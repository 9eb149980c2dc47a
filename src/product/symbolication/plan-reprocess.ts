import { describeEvent } from '#pipeline/title.ts';
import type {
  GroupingChange,
  HashIndex,
  PlanTarget,
  RegroupPlan,
} from '#product/grouping/grouping-change.ts';
import { titlesOf } from '#product/grouping/plan-regroup.ts';
import type { Stores } from '#product/stores.ts';
import type { HashPair } from '#storage/ports/regroup-events.ts';

/**
 * What new frames of some stored events do to the map of hashes. Unlike new rules they concern only the events that were
 * read, so nothing is decided for the others of a hash:
 *
 * - A new hash that the map knows leads where it led.
 * - Else the hash that most of the changed events of an old one got continues that one's issue: it is the same error, only
 *   readable now, also where older events stay as they are.
 * - Any other new hash was split off and gets an issue of its own.
 * - Every event that changed its hash is moved, row by row. An issue without any events left is dissolved into the one
 *   that most of its events went to.
 */
export function planReprocess(summed: readonly HashPair[], map: HashIndex): RegroupPlan {
  // Of an issue that was deleted meanwhile, events may be on their way out.
  const pairs = summed.filter(({ from }) => map.issueOf.has(from));
  const splits = pairs.filter(({ from, to }) => from !== to && map.standsFor.get(from) !== to);
  const targets = chooseTargets(pairs, map);
  const moves = new Map<string, PlanTarget>();
  for (const [hash, target] of targets) {
    if (target.kind === 'new' || map.issueOf.get(hash) !== target.issueId) moves.set(hash, target);
  }
  const gone = findEmptied(splits, map, targets);
  for (const [hash, issueId] of map.issueOf) {
    const into = gone.get(issueId);
    if (into && !moves.has(hash)) moves.set(hash, into);
  }
  return {
    successors: new Map(),
    moves: [...moves].map(([hash, target]) => ({ hash, target })),
    dissolved: [...gone].map(([issueId, into]) => ({ issueId, into })),
    splits,
    titles: titlesOf(pairs, targets),
  };
}

function chooseTargets(pairs: readonly HashPair[], { issueOf }: HashIndex): ReadonlyMap<string, PlanTarget> {
  const heirs = chooseHeirs(pairs, issueOf);
  const origins = new Sums<string, number>();
  const inherited = new Sums<string, number>();
  for (const { from, to, events } of pairs) {
    const issueId = issueOf.get(from);
    if (issueId === undefined) continue;
    origins.add(to, issueId, events);
    if (heirs.get(from) === to) inherited.add(to, issueId, events);
  }
  const targets = new Map<string, PlanTarget>();
  for (const to of origins.keys()) {
    const issueId = issueOf.get(to) ?? inherited.most(to);
    if (issueId !== undefined) targets.set(to, { kind: 'issue', issueId });
    else targets.set(to, { kind: 'new', key: to, from: origins.most(to) as number });
  }
  return targets;
}

/** The new hash, unknown so far, of most of the changed events of each old one. */
function chooseHeirs(
  pairs: readonly HashPair[],
  issueOf: ReadonlyMap<string, number>,
): ReadonlyMap<string, string> {
  const sums = new Sums<string, string>();
  for (const { from, to, events } of pairs) if (!issueOf.has(to)) sums.add(from, to, events);
  return new Map([...sums.keys()].map((from) => [from, sums.most(from) as string]));
}

/** Issues all of whose counted events are moved, with where most of them go. */
function findEmptied(
  splits: readonly HashPair[],
  { issueOf, counted }: HashIndex,
  targets: ReadonlyMap<string, PlanTarget>,
): ReadonlyMap<number, PlanTarget> {
  const left = new Map<number, number>();
  for (const [hash, issueId] of issueOf)
    left.set(issueId, (left.get(issueId) ?? 0) + (counted.get(hash) ?? 0));
  const went = new Sums<number, string>();
  const staying = new Set<number>();
  for (const target of targets.values()) if (target.kind === 'issue') staying.add(target.issueId);
  for (const { from, to, events } of splits) {
    const issueId = issueOf.get(from);
    if (issueId === undefined) continue;
    left.set(issueId, (left.get(issueId) ?? 0) - events);
    went.add(issueId, to, events);
  }
  const emptied = new Map<number, PlanTarget>();
  for (const issueId of went.keys()) {
    const into = targets.get(went.most(issueId) as string);
    if (into && !staying.has(issueId) && (left.get(issueId) ?? 0) <= 0) emptied.set(issueId, into);
  }
  return emptied;
}

/** How many events went from one thing to another. */
class Sums<From, To extends string | number> {
  readonly #sums = new Map<From, Map<To, number>>();

  add(from: From, to: To, events: number): void {
    const sums = this.#sums.get(from) ?? new Map<To, number>();
    this.#sums.set(from, sums.set(to, (sums.get(to) ?? 0) + events));
  }

  keys(): Iterable<From> {
    return this.#sums.keys();
  }

  /** Of as many events the smaller one, so that the same sums give the same plan. */
  most(from: From): To | undefined {
    const [first] = [...(this.#sums.get(from) ?? [])].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return first?.[0];
  }
}

const ISSUES_PER_STEP = 100;

/** Calls the issues of a run's events as their newest events are called now; `progress` is told of every step. */
export async function describeTouched(
  { reprocesses, events }: Pick<Stores, 'reprocesses' | 'events'>,
  { id, organizationId, projectId }: GroupingChange,
  progress: () => Promise<void>,
): Promise<void> {
  const scope = { organizationId, projectIds: [projectId] };
  for (let after = 0; ; ) {
    const issues = await reprocesses.listTouched(id, after, ISSUES_PER_STEP);
    for (const { issueId, hashes } of issues) {
      const newest = await events.findEdgeEvent(scope, { issueId, projectId, hashes }, 'latest');
      if (newest && !newest.isBodySampled) {
        const { occurredAt, title, culprit, payload } = newest;
        const { metadata } = describeEvent(payload);
        await reprocesses.describeIssue(issueId, { occurredAt, title, culprit, metadata });
      }
    }
    const last = issues.at(-1);
    if (!last) return;
    after = last.issueId;
    await progress();
  }
}
