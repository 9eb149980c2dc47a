import { z } from 'zod';
import {
  readSessionFields,
  readSessionOrder,
  SESSION_STATUSES,
  type SessionField,
} from '#app/api/0/endpoints/telemetry/session-fields.ts';
import { listRows, telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import {
  ENVIRONMENTS,
  PAGE,
  type Parameter,
  PROJECTS,
  period,
  RANGE,
  SEARCH,
  text,
  texts,
} from '#app/api/0/query.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { SESSION, serializeSession } from '#app/api/0/shapes/telemetry.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import { type CountedSessions, countSessions, NO_SESSIONS } from '#product/releases/count-sessions.ts';
import { alignRange } from '#product/time-buckets.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { SESSION_KEYS, type SessionKey } from '#storage/ports/telemetry.ts';

const STATUS = 'session.status';
type GroupKey = SessionKey | typeof STATUS;
const GROUP_KEYS: readonly GroupKey[] = [...SESSION_KEYS, STATUS];

const GROUP_BY: Parameter<readonly GroupKey[]> = {
  schema: z.array(z.enum(GROUP_KEYS)).describe('What the groups are by'),
  read(searchParams, name) {
    const named = searchParams.getAll(name).flatMap((value) => value.split(','));
    return [...new Set(named.filter((each) => each !== ''))].map((each) => {
      const key = GROUP_KEYS.find((candidate) => candidate === each);
      if (key) return key;
      throw invalid(
        `${name} "${each.slice(0, 40)}" is not supported: choose from ${GROUP_KEYS.join(', ')}`,
        name,
      );
    });
  },
};

const INTERVAL = period('Length of an interval, such as 1h; the whole time range if omitted');

export const sessionOperations: readonly Operation[] = [
  get('projects/[org]/[project]/sessions', {
    summary: "Lists a project's session updates",
    scopes: ['event:read'],
    query: telemetryQuery(['release', 'environment']),
    answer: z.array(SESSION),
    isPaged: true,
    handle: listRows('sessions', serializeSession),
  }),

  /**
   * How the sessions went that began in the range, by what `groupBy` names; without `field` and `groupBy`, a summary of
   * each release of each project.
   * Source of the fields: https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/
   */
  get('organizations/[org]/sessions', {
    summary: 'Retrieves session counts, user counts, and crash-free rates',
    scopes: ['event:read'],
    query: {
      ...RANGE,
      ...PROJECTS,
      ...ENVIRONMENTS,
      ...SEARCH,
      field: texts('Numbers to return, such as sum(session) or crash_free_rate(user)'),
      groupBy: GROUP_BY,
      interval: INTERVAL,
      orderBy: text('Number to sort groups by; prefix with - for descending order'),
      limit: PAGE.limit,
      includeSeries: text('0 to leave out the numbers over time'),
      includeTotals: text('0 to leave out the numbers of the whole range'),
    },
    answer: z.object({
      start: z.string(),
      end: z.string(),
      /** Where each begins. */
      intervals: z.array(z.string()),
      query: z.string(),
      groups: z.array(
        z.object({
          /** `project` as a number with `projectSlug`, `release`, `environment` and `session.status`. */
          by: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
          totals: z.record(z.string(), z.number().nullable()),
          series: z.record(z.string(), z.array(z.number().nullable())),
        }),
      ),
    }),
    async handle({ ctx, query }) {
      const fields = readSessionFields(query.field);
      const isSummary = query.field.length === 0 && query.groupBy.length === 0;
      const keys: readonly GroupKey[] = isSummary ? ['project', 'release'] : query.groupBy;
      const byStatus = keys.includes(STATUS);
      if (byStatus && fields.some(({ name }) => name !== 'sum(session)')) {
        throw invalid('Groups by session.status have sum(session) only: remove the other fields', 'field');
      }
      const nowMs = ctx.now();
      const range = query.range ?? { fromMs: nowMs - DAY_MS, toMs: nowMs };
      const bucketMs = query.interval === null ? null : Math.max(MINUTE_MS, query.interval);
      const groupBy = keys.filter((key) => key !== STATUS);
      const counted = bucketMs === null ? range : alignRange(range, bucketMs);
      const { groups } = await countSessions(ctx, {
        query: query.search ?? '',
        projectSlugs: query.projectSlugs,
        environments: query.environments,
        range: counted,
        groupBy,
        bucketMs,
        ...readSessionOrder(query.orderBy),
        // Groups without keys are one.
        limit: groupBy.length === 0 ? 1 : query.limit,
      });
      const slugs = new Map((await listVisibleProjects(ctx)).map(({ id, slug }) => [String(id), slug]));
      const shown = { totals: query.includeTotals !== '0', series: query.includeSeries !== '0' };
      return {
        start: isoOfMs(counted.fromMs),
        end: isoOfMs(counted.toMs),
        intervals: intervalsOf(counted, bucketMs),
        query: query.search ?? '',
        groups: groups.flatMap((group) => {
          const by: Record<string, string | number | null> = {};
          for (const [index, key] of groupBy.entries()) {
            const value = group.keys[index] ?? '';
            by[key] = key === 'project' ? Number(value) : value;
            if (key === 'project') by.projectSlug = slugs.get(value) ?? null;
          }
          if (!byStatus) return [{ by, ...numbersOf(group, fields, shown) }];
          return SESSION_STATUSES.map(({ status, read }) => ({
            by: { ...by, [STATUS]: status },
            ...numbersOf(group, [{ name: 'sum(session)', read }], shown),
          }));
        }),
      };
    },
  }),
];

function intervalsOf({ fromMs, toMs }: { fromMs: number; toMs: number }, bucketMs: number | null): string[] {
  const length = bucketMs === null ? 1 : Math.ceil((toMs - fromMs) / bucketMs);
  return Array.from({ length }, (_, index) => isoOfMs(fromMs + index * (bucketMs ?? 0)));
}

function numbersOf(
  group: CountedSessions['groups'][number],
  fields: readonly SessionField[],
  shown: { totals: boolean; series: boolean },
) {
  return {
    totals: shown.totals ? Object.fromEntries(fields.map(({ name, read }) => [name, read(group)])) : {},
    series: shown.series
      ? Object.fromEntries(
          fields.map(({ name, read }) => [name, group.series.map((point) => read(point ?? NO_SESSIONS))]),
        )
      : {},
  };
}
