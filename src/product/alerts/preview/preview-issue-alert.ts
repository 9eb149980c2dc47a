import type { IssueAlert } from '#domain/alerts/alert-rule.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import { readEvent } from '#pipeline/alerts/event-rules.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import { asksEvent, isCountFilter } from '../alert-definition.ts';
import {
  askEvent,
  askIssue,
  type JudgedCase,
  needsEvent,
  needsPayload,
  verdictOf,
} from '../evaluate/alert-case.ts';
import { visitEvents } from '../evaluate/judge-cases.ts';
import type { AlertPreview } from './alert-preview.ts';
import { ALARMS_MAX } from './find-alarms.ts';
import { type FoundMoments, findMoments, MOMENTS_MAX, type Moment } from './find-moments.ts';

/** Somebody waits: for what is looked for in the stores, and for the events that are read after that. */
const LOOKING_MS = 3_000;
const READING_MS = 1_000;
const ISSUES_SHOWN_MAX = 10;
/** Events that are read for one preview; of more moments, every second or third one and so on. */
const EVENTS_READ_MAX = 400;

type PreviewCase = JudgedCase & { moment: Moment; issue: Issue };

/** Looks at the past as the rule would have, as far as it is known still. */
export async function previewIssueAlert(
  ctx: Context,
  project: Project,
  asked: { environment: string | null; definition: IssueAlert; range: Range },
): Promise<AlertPreview> {
  const { definition, range } = asked;
  const endsAt = performance.now() + LOOKING_MS;
  const leftMs = () => endsAt - performance.now();
  const found = await findMoments(ctx, project, asked, leftMs);
  const cases = await openCases(ctx, asked, found);
  for (const one of cases) {
    askIssue(one, one.moment.at);
    askCrowds(one, found);
  }
  const share = await askSampledEvents(ctx, cases, range, () => leftMs() <= -READING_MS);
  const fired = keepLoud(
    cases.filter((one) => verdictOf(one) === true),
    definition.frequencyMinutes * MINUTE_MS,
  );
  const scale = (count: number) => Math.round(count / share);
  const values = Array<number>(Math.round((range.toMs - range.fromMs) / DAY_MS)).fill(0);
  for (const { moment } of fired) {
    const day = Math.min(values.length - 1, Math.floor((moment.at - range.fromMs) / DAY_MS));
    values[day] = (values[day] ?? 0) + moment.weight;
  }
  const byIssue = Map.groupBy(fired, ({ issue }) => issue.id);
  const issues = [...byIssue.values()].flatMap((own) =>
    own[0] ? { issue: own[0].issue, firings: sumOf(own) } : [],
  );
  const estimates = describeEstimates(asked, found, share);
  return {
    kind: 'issue',
    firings: scale(sumOf(fired)),
    estimates,
    isEstimate: estimates.length > 0,
    buckets: { fromMs: range.fromMs, bucketMs: DAY_MS, values: values.map(scale) },
    range,
    alarms: fired.slice(-ALARMS_MAX).map(({ moment, issue }) => ({
      ...{ fromMs: moment.at, toMs: moment.at, state: null, worst: null },
      shortId: issue.shortId,
    })),
    alarmsTotal: fired.length,
    before: [],
    states: [],
    issues: issues
      .sort((a, b) => b.firings - a.firings || b.issue.lastSeen - a.issue.lastSeen)
      .slice(0, ISSUES_SHOWN_MAX)
      .map(({ issue: { id, shortId, title }, firings }) => ({ id, shortId, title, firings: scale(firings) })),
    issuesTotal: byIssue.size,
  };
}

const sumOf = (cases: readonly PreviewCase[]): number =>
  cases.reduce((sum, { moment }) => sum + moment.weight, 0);

async function openCases(
  ctx: Context,
  { environment, definition, range }: { environment: string | null; definition: IssueAlert; range: Range },
  { moments }: FoundMoments,
): Promise<readonly PreviewCase[]> {
  const rule = { environment, definition };
  const ids = [...new Set(moments.map(({ issueId }) => issueId))];
  const issues = new Map(
    (await ctx.stores.issues.findByIds(ctx.organization.id, ids)).map((issue) => [issue.id, issue]),
  );
  return moments.flatMap((moment): PreviewCase[] => {
    const issue = issues.get(moment.issueId);
    if (!issue) return [];
    // Whether an older issue was in the environment before, nobody looks.
    const isOlder = issue.firstSeen < range.fromMs;
    if (moment.trigger === 'first_seen' && environment !== null && isOlder) return [];
    // With its first event an issue was seen once.
    const then = moment.trigger === 'first_seen' ? { ...issue, timesSeen: 1 } : issue;
    const isEventRead = moment.isOfEnvironment && !definition.filters.some(asksEvent);
    return [{ rule, moment, issue: then, answers: new Map(), isEventRead, isPossible: true }];
  });
}

/** Counts of a window that ends about then. */
function askCrowds(one: PreviewCase, { crowded }: FoundMoments): void {
  for (const filter of one.rule.definition.filters.filter(isCountFilter)) {
    const times = crowded.get(filter)?.get(one.moment.issueId) ?? [];
    const fromMs = one.moment.at - filter.minutes * MINUTE_MS;
    one.answers.set(
      filter,
      times.some((at) => at > fromMs && at <= one.moment.at),
    );
  }
}

/** Reads the events that decide, or a part of them; answers which part. What was not read counts as not fitting. */
async function askSampledEvents(
  ctx: Context,
  cases: readonly PreviewCase[],
  range: Range,
  isOver: () => boolean,
): Promise<number> {
  const open = cases.filter((one) => verdictOf(one) === null && needsEvent(one));
  if (open.length === 0) return 1;
  const every = Math.ceil(open.length / EVENTS_READ_MAX);
  const sample = spreadOut(open.filter((_, index) => index % every === 0));
  const organizationId = ctx.organization.id;
  const [hashes, newest] = await Promise.all([
    ctx.stores.issues.listHashes(organizationId, [...new Set(sample.map(({ issue }) => issue.id))]),
    ctx.stores.alertOutbox.findNewestReleases([...new Set(sample.map(({ issue }) => issue.projectId))]),
  ]);
  const looked = await visitEvents(
    ctx.stores,
    organizationId,
    sample.map((one) => ({
      wanted: {
        projectId: one.issue.projectId,
        issueId: one.issue.id,
        hashes: hashes.get(one.issue.id) ?? [],
        eventId: one.moment.eventId,
        environment: one.rule.environment,
      },
      look(event) {
        const read = event ? readEvent(event, { left: Number.POSITIVE_INFINITY }) : null;
        askEvent(one, read, newest.get(one.issue.projectId));
      },
    })),
    range.fromMs - DAY_MS,
    sample.some(needsPayload),
    isOver,
  );
  return looked / open.length;
}

/** So that the first of them are of all the time as well: every sixteenth one, then the ones after those, and so on. */
function spreadOut<Item>(items: readonly Item[]): readonly Item[] {
  const strides = 16;
  return Array.from({ length: strides }, (_, start) =>
    items.filter((_item, index) => index % strides === start),
  ).flat();
}

/** As the rule is quiet about an issue after it has fired. */
function keepLoud(cases: readonly PreviewCase[], frequencyMs: number): readonly PreviewCase[] {
  const lastAt = new Map<number, number>();
  return cases.filter(({ moment: { issueId, at } }) => {
    if (at - (lastAt.get(issueId) ?? Number.NEGATIVE_INFINITY) < frequencyMs) return false;
    lastAt.set(issueId, at);
    return true;
  });
}

function describeEstimates(
  { environment, definition: { triggers, filters } }: { environment: string | null; definition: IssueAlert },
  { cuts, oneOf }: FoundMoments,
  share: number,
): readonly string[] {
  const kinds = new Set(filters.map(({ kind }) => kind));
  const estimates: string[] = [];
  if (oneOf > 1)
    estimates.push(`Only 1 in ${oneOf} events was checked because there are so many: more issues may match.`);
  if (cuts.has('limit')) estimates.push(`Only the newest ${MOMENTS_MAX} occurrences were checked.`);
  if (cuts.has('time')) {
    estimates.push(
      'There are too many events in 14 days to check them all in time: the rule would trigger more often.',
    );
  }
  if (environment !== null && triggers.includes('first_seen')) {
    estimates.push(
      'Older issues that first occurred in the environment during these 14 days are not included.',
    );
  }
  if (share < 1) estimates.push(`${Math.round(share * 100)} % of the relevant events were read.`);
  if (triggers.includes('event') && filters.some(asksEvent)) {
    estimates.push('For each possible trigger, only a few of an issue’s events were read.');
  }
  if (filters.some(isCountFilter)) {
    estimates.push('Counts in a time window were checked in steps of a quarter of the window.');
  }
  if (
    kinds.has('assigned') ||
    kinds.has('priority') ||
    kinds.has('times_seen') ||
    kinds.has('latest_release')
  ) {
    estimates.push(
      'Assignees, priorities, event counts, and the latest release reflect their current state.',
    );
  }
  return estimates;
}
