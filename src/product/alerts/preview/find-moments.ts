import type { AlertTrigger, IssueAlert } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { Stores } from '#product/stores.ts';
import type { Range } from '#product/time-buckets.ts';
import type { EventMoment, Moments } from '#storage/ports/alert-events.ts';
import type { EventScope } from '#storage/ports/events.ts';
import { asksEvent, type CountFilter, isCountFilter } from '../alert-definition.ts';
import type { IssueTransition } from '../alert-outbox.ts';

/** Of each kind of moment, the newest so many. */
export const MOMENTS_MAX = 5_000;
/** About so many are asked for where there are more: it is known only roughly how many a part of the issues has. */
const MOMENTS_AIMED = 4_000;
/** Where the event of each has to be read. */
const EVENTS_AIMED = 120;
/** Windows, and the time in which a rule fires once for an issue, are looked at in so many parts. */
const STEPS = 4;
const STEP_MS_MIN = 5 * MINUTE_MS;
/** What the store keeps in memory for one question that counts. */
const CROWD_STEPS_MAX = { event_count: 200_000, user_count: 40_000 } as const;

/** When a rule would have looked at an issue. */
export type Moment = {
  issueId: number;
  trigger: AlertTrigger;
  eventId: string | null;
  at: number;
  /** Whether it is known to be of the rule's environment. */
  isOfEnvironment: boolean;
  /** How many of its like it stands for. */
  weight: number;
};

export type FoundMoments = {
  /** Oldest first. */
  moments: readonly Moment[];
  /** For each filter that counts, when it was fulfilled, by issue. */
  crowded: ReadonlyMap<CountFilter, ReadonlyMap<number, readonly number[]>>;
  /** Why these are not all. */
  cuts: ReadonlySet<NonNullable<Moments['cut']>>;
  /** Of the events, one in about so many was looked at. */
  oneOf: number;
};

type Asked = { environment: string | null; definition: IssueAlert; range: Range };

/** What would have brought the rule to look at issues of the project; one question after the other, in the time there is. */
export async function findMoments(
  ctx: Context,
  project: Project,
  asked: Asked,
  leftMs: () => number,
): Promise<FoundMoments> {
  const { environment, definition, range } = asked;
  const { triggers, filters, filterMatch } = definition;
  const scope = { organizationId: ctx.organization.id, projectIds: [project.id] };
  const look: Look = { ...asked, scope, store: ctx.stores.alertEvents, leftMs };
  const transitions = await listTransitions(ctx, project, asked);
  const looksForFirst = environment !== null && triggers.includes('first_seen');
  const whole = { stepMs: range.toMs - range.fromMs, blockMs: 1, oneOf: 1 };
  const firsts = looksForFirst ? await listMoments(look, whole) : NO_MOMENTS;
  const crowds = await findCrowds(look, filters.filter(isCountFilter));
  // What must be fulfilled anyway says best when.
  const leading = filterMatch === 'all' ? [...crowds.found.values()][0] : undefined;
  const events = triggers.includes('event') ? await findEventMoments(look, leading, crowds.oneOf) : NOTHING;

  const found = [firsts, events.found, ...crowds.found.values()];
  const issueOf = await openIssueOf(
    ctx,
    found.flatMap(({ moments }) => moments),
  );
  const toMoments = ({ moments }: Moments, trigger: AlertTrigger, weight: number): readonly Moment[] =>
    moments.flatMap(({ at, eventId, ...key }): Moment[] => {
      const issueId = issueOf(key);
      return issueId === null
        ? []
        : [{ issueId, trigger, eventId, at, weight, isOfEnvironment: environment !== null }];
    });
  const moments = [
    ...transitions.map((transition) => ({ ...transition, isOfEnvironment: false, weight: 1 })),
    ...keepFirst(toMoments(firsts, 'first_seen', 1)),
    ...toMoments(events.found, 'event', events.oneOf),
  ];
  const cuts = new Set(found.flatMap(({ cut }) => cut ?? []));
  if (transitions.length >= MOMENTS_MAX) cuts.add('limit');
  return {
    moments: moments.sort((a, b) => a.at - b.at),
    crowded: new Map(
      [...crowds.found].map(([filter, list]) => [filter, timesByIssue(list.moments, issueOf)] as const),
    ),
    cuts,
    oneOf: Math.max(events.oneOf, crowds.oneOf),
  };
}

type Look = Asked & { scope: EventScope; store: Stores['alertEvents']; leftMs: () => number };
type Part = { stepMs: number; blockMs: number; oneOf: number };

const listMoments = ({ store, scope, range, environment, leftMs }: Look, part: Part): Promise<Moments> =>
  store.listMoments(scope, { range, environment, timeMs: leftMs(), ...part }, MOMENTS_MAX);

/** As many parts of the events that only one of them has as many steps as may be looked at. */
async function partsOf(
  { store, scope, range, environment, leftMs }: Look,
  { stepMs, above, max }: { stepMs: number; above: number; max: number },
): Promise<number> {
  const steps = await store.countSteps(scope, { range, environment, stepMs, above, timeMs: leftMs() });
  return Math.max(1, Math.ceil((steps ?? 0) / max));
}

/** When each of the filters was fulfilled. */
async function findCrowds(
  look: Look,
  filters: readonly CountFilter[],
): Promise<{ found: ReadonlyMap<CountFilter, Moments>; oneOf: number }> {
  const { store, scope, range, environment, leftMs } = look;
  let oneOf = 1;
  for (const { kind, minutes, above } of filters) {
    const stepMs = (minutes * MINUTE_MS) / STEPS;
    oneOf = Math.max(oneOf, await partsOf(look, { stepMs, above, max: CROWD_STEPS_MAX[kind] }));
  }
  const found = new Map<CountFilter, Moments>();
  for (const filter of filters) {
    const windowMs = filter.minutes * MINUTE_MS;
    const of = filter.kind === 'event_count' ? 'events' : 'users';
    const window = { windowMs, stepMs: windowMs / STEPS, above: filter.above, of, oneOf } as const;
    found.set(
      filter,
      await store.listCrowded(scope, { range, environment, timeMs: leftMs(), ...window }, MOMENTS_MAX),
    );
  }
  return { found, oneOf };
}

/** When events came, in stretches as long as the rule is quiet about an issue. */
async function findEventMoments(
  look: Look,
  leading: Moments | undefined,
  leadingOneOf: number,
): Promise<{ found: Moments; oneOf: number }> {
  if (leading) return { found: leading, oneOf: leadingOneOf };
  const { filters, frequencyMinutes } = look.definition;
  const blockMs = frequencyMinutes * MINUTE_MS;
  const stepMs = Math.max(STEP_MS_MIN, blockMs / STEPS);
  const max = filters.some(asksEvent) ? EVENTS_AIMED : MOMENTS_AIMED;
  const oneOf = await partsOf(look, { stepMs, above: 0, max });
  return { found: await listMoments(look, { stepMs, blockMs, oneOf }), oneOf };
}

/** When issues were new, or came back. Issues are new in an environment at another time. */
async function listTransitions(
  ctx: Context,
  project: Project,
  { environment, definition: { triggers }, range }: Asked,
): Promise<readonly IssueTransition[]> {
  const wanted = triggers.filter(
    (trigger) => trigger !== 'event' && (trigger !== 'first_seen' || environment === null),
  );
  if (wanted.length === 0) return [];
  const transitions = await ctx.stores.alertOutbox.listTransitions(
    ctx.organization.id,
    project.id,
    range,
    MOMENTS_MAX,
  );
  return transitions.filter(({ trigger }) => wanted.includes(trigger));
}

/** Of the hashes of an issue, the one that came first. */
function keepFirst(moments: readonly Moment[]): readonly Moment[] {
  const first = new Map<number, Moment>();
  for (const moment of moments) {
    if (moment.at < (first.get(moment.issueId)?.at ?? Number.POSITIVE_INFINITY))
      first.set(moment.issueId, moment);
  }
  return [...first.values()];
}

const NO_MOMENTS: Moments = { moments: [], cut: null };
const NOTHING = { found: NO_MOMENTS, oneOf: 1 };

type HashKey = Pick<EventMoment, 'projectId' | 'groupingHash'>;

/** Which issue a hash belongs to now; null for one that is gone. */
async function openIssueOf(
  ctx: Context,
  moments: readonly EventMoment[],
): Promise<(key: HashKey) => number | null> {
  const { issues } = ctx.stores;
  const keys = new Map(
    moments.map(({ projectId, groupingHash }) => [
      `${projectId}:${groupingHash}`,
      { projectId, hash: groupingHash },
    ]),
  );
  if (keys.size === 0) return () => null;
  const shortIds = await issues.findShortIds(ctx.organization.id, [...keys.values()]);
  const ids = await issues.findIdsByShortIds(ctx.organization.id, [...new Set(shortIds.values())]);
  return ({ projectId, groupingHash }) => ids.get(shortIds.get(`${projectId}:${groupingHash}`) ?? '') ?? null;
}

function timesByIssue(
  moments: readonly EventMoment[],
  issueOf: (key: HashKey) => number | null,
): ReadonlyMap<number, readonly number[]> {
  const times = new Map<number, number[]>();
  for (const moment of moments) {
    const issueId = issueOf(moment);
    if (issueId === null) continue;
    const known = times.get(issueId);
    if (known) known.push(moment.at);
    else times.set(issueId, [moment.at]);
  }
  return times;
}
