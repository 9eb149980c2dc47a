import type { Issue } from '#domain/issues/issue.ts';
import type { HashPair } from '#storage/ports/regroup-events.ts';
import type { HashIndex, PlanTarget, RegroupPlan } from './grouping-change.ts';

/** Entries of each list; of more only the number is told. */
const LISTED_MAX = 50;
/** Issues of one entry. */
const MEMBERS_MAX = 20;

export type PreviewIssue = { issueId: number; shortId: string; title: string; timesSeen: number };

export type RegroupPreview = {
  eventsSeen: number;
  issuesSeen: number;
  /** Issues with events in the period: those beyond `issuesSeen` were not looked at in time. */
  issuesInPeriod: number;
  /** What the issues that were looked at would become. */
  issuesAfter: number;
  /** Issues of them that are merged, split or renamed, and the events that were ever counted in those. */
  issuesChanged: number;
  eventsChanged: number;
  mergeCount: number;
  merges: readonly { into: PreviewIssue; count: number; issues: readonly PreviewIssue[] }[];
  splitCount: number;
  splits: readonly {
    issue: PreviewIssue;
    /** Each with an event of it. */
    parts: readonly { title: string; eventId: string; stays: boolean }[];
  }[];
  titleCount: number;
  titles: readonly { issue: PreviewIssue; title: string }[];
  tookMs: number;
};

/** Tells a plan made of samples in the words of issues. */
export async function describePreview(input: {
  pairs: readonly HashPair[];
  index: HashIndex;
  plan: RegroupPlan;
  /** An event of each pair, by `from to`. */
  eventOf: ReadonlyMap<string, string>;
  eventsSeen: number;
  issuesInPeriod: number;
  findIssues: (issueIds: readonly number[]) => Promise<readonly Issue[]>;
  tookMs: () => number;
}): Promise<RegroupPreview> {
  const { pairs, index, plan } = input;
  const seen = new Set(pairs.flatMap(({ from }) => index.issueOf.get(from) ?? []));
  const targetOf = targetsOf(index, plan);
  const gone = new Set(plan.dissolved.map(({ issueId }) => issueId));
  const places = new Set([...seen].filter((issueId) => !gone.has(issueId)).map(String));
  for (const { to } of pairs) places.add(keyOf(targetOf(to)));

  const merged = Map.groupBy(
    plan.dissolved.filter(({ into }) => into.kind === 'issue'),
    ({ into }) => keyOf(into),
  );
  const parts = Map.groupBy(
    pairs.filter(({ from }) => index.issueOf.has(from)),
    ({ from }) => String(index.issueOf.get(from)),
  );
  const split = [...parts].filter(([, list]) => new Set(list.map(({ to }) => keyOf(targetOf(to)))).size > 1);
  const mergeList = [...merged].sort(([, a], [, b]) => b.length - a.length).slice(0, LISTED_MAX);
  const splitList = split.slice(0, LISTED_MAX);
  const titled = plan.titles.flatMap(({ target, title }) =>
    target.kind === 'issue' ? [{ issueId: target.issueId, title }] : [],
  );
  const issues = new Map(
    (
      await input.findIssues([
        ...new Set([
          ...mergeList.flatMap(([into, list]) => [
            Number(into),
            ...list.slice(0, MEMBERS_MAX).map(({ issueId }) => issueId),
          ]),
          ...splitList.map(([issueId]) => Number(issueId)),
          ...titled.map(({ issueId }) => issueId),
        ]),
      ])
    ).map((issue) => [issue.id, toPreview(issue)]),
  );
  const renamed = titled.flatMap(({ issueId, title }) => {
    const issue = issues.get(issueId);
    return issue && issue.title !== title ? [{ issue, title }] : [];
  });
  const changed = new Set([
    ...plan.dissolved.flatMap(({ issueId, into }) =>
      into.kind === 'issue' ? [issueId, into.issueId] : [issueId],
    ),
    ...split.map(([issueId]) => Number(issueId)),
    ...renamed.map(({ issue }) => issue.issueId),
  ]);
  let eventsChanged = 0;
  for (const [hash, issueId] of index.issueOf) {
    if (changed.has(issueId)) eventsChanged += index.counted.get(hash) ?? 0;
  }
  return {
    eventsSeen: input.eventsSeen,
    issuesSeen: seen.size,
    issuesInPeriod: Math.max(seen.size, input.issuesInPeriod),
    issuesAfter: places.size,
    issuesChanged: changed.size,
    eventsChanged,
    mergeCount: merged.size,
    merges: mergeList.flatMap(([key, list]) => {
      const into = issues.get(Number(key));
      const members = list.flatMap(({ issueId }) => issues.get(issueId) ?? []).slice(0, MEMBERS_MAX);
      return into ? [{ into, count: list.length + 1, issues: members }] : [];
    }),
    splitCount: split.length,
    splits: splitList.flatMap(([key, list]) => {
      const issue = issues.get(Number(key));
      return issue ? [{ issue, parts: partsOf(list, targetOf, key, input.eventOf) }] : [];
    }),
    titleCount: renamed.length,
    titles: renamed.slice(0, LISTED_MAX),
    tookMs: input.tookMs(),
  };
}

const keyOf = (target: PlanTarget | null): string =>
  target === null ? '' : target.kind === 'new' ? `new ${target.key}` : String(target.issueId);

/** Where a hash leads once the plan is carried out. */
function targetsOf(index: HashIndex, plan: RegroupPlan): (hash: string) => PlanTarget | null {
  const moved = new Map(plan.moves.map(({ hash, target }) => [hash, target]));
  return (hash) => {
    const issueId = index.issueOf.get(hash);
    return moved.get(hash) ?? (issueId === undefined ? null : { kind: 'issue', issueId });
  };
}

function partsOf(
  pairs: readonly HashPair[],
  targetOf: (hash: string) => PlanTarget | null,
  issueKey: string,
  eventOf: ReadonlyMap<string, string>,
): RegroupPreview['splits'][number]['parts'] {
  const parts = new Map<string, { title: string; eventId: string; stays: boolean }>();
  for (const { from, to, title } of pairs) {
    const key = keyOf(targetOf(to));
    if (parts.has(key)) continue;
    parts.set(key, { title, eventId: eventOf.get(`${from} ${to}`) ?? '', stays: key === issueKey });
  }
  return [...parts.values()].slice(0, MEMBERS_MAX);
}

const toPreview = ({ id, shortId, title, timesSeen }: Issue): PreviewIssue => ({
  issueId: id,
  shortId,
  title,
  timesSeen,
});
