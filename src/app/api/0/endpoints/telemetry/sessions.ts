import { z } from 'zod';
import { listRows, telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, type Parameter, PROJECTS, period, RANGE } from '#app/api/0/query.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { SESSION, serializeSession } from '#app/api/0/shapes/telemetry.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { getReleaseHealth } from '#product/releases/get-release-health.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

const GROUPS: ReadonlySet<string> = new Set(['project', 'release']);

/** Other groups, and only the projects, are refused: the answer would be of something else. */
const GROUP_BY: Parameter<null> = {
  schema: z.array(z.enum(['project', 'release'])).describe('Groups are by release and project'),
  read(searchParams, name) {
    const sent = searchParams.getAll(name).flatMap((value) => value.split(','));
    const other = sent.find((group) => !GROUPS.has(group));
    if (other !== undefined) {
      throw invalid(
        `${name} "${other.slice(0, 40)}" is not supported: groups are by release and project`,
        name,
      );
    }
    if (sent.length > 0 && !sent.includes('release')) {
      throw invalid(`${name} must include release: there are no totals of a whole project`, name);
    }
    return null;
  },
};

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
   * How the sessions of each release of each project went that began in the range.
   * Source of the fields: https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/
   */
  get('organizations/[org]/sessions', {
    summary: 'Retrieves session counts, user counts, and crash-free rates of releases',
    scopes: ['event:read'],
    query: {
      ...RANGE,
      ...PROJECTS,
      ...ENVIRONMENTS,
      groupBy: GROUP_BY,
      interval: period('At least as long as the time range, which is one interval'),
    },
    refuses: ['query'],
    answer: z.object({
      start: z.string(),
      end: z.string(),
      /** One, which is the whole range. */
      intervals: z.array(z.string()),
      query: z.string(),
      groups: z.array(
        z.object({
          by: z.object({ project: z.number(), projectSlug: z.string().nullable(), release: z.string() }),
          totals: z.record(z.string(), z.number().nullable()),
          series: z.record(z.string(), z.array(z.number().nullable())),
        }),
      ),
    }),
    async handle({ ctx, query }) {
      const nowMs = ctx.now();
      const range = query.range ?? { fromMs: nowMs - DAY_MS, toMs: nowMs };
      const { projectSlugs, environments, interval } = query;
      if (interval !== null && interval < range.toMs - range.fromMs) {
        throw invalid('interval is not supported: the whole time range is one interval. Omit it', 'interval');
      }
      const rows = await getReleaseHealth(ctx, { projectSlugs, range, environments });
      const projects = new Map((await listVisibleProjects(ctx)).map((project) => [project.id, project.slug]));
      return {
        start: isoOfMs(range.fromMs),
        end: isoOfMs(range.toMs),
        intervals: [isoOfMs(range.fromMs)],
        query: '',
        groups: rows.map((row) => {
          const { projectId, release } = row;
          const totals = totalsOf(row);
          const series = Object.fromEntries(Object.entries(totals).map(([field, value]) => [field, [value]]));
          const projectSlug = projects.get(projectId) ?? null;
          return { by: { project: projectId, projectSlug, release }, totals, series };
        }),
      };
    },
  }),
];

const totalsOf = (row: Awaited<ReturnType<typeof getReleaseHealth>>[number]) => ({
  'sum(session)': row.sessions,
  'count_unique(user)': row.users,
  'crash_free_rate(session)': row.crashFreeSessions,
  'crash_free_rate(user)': row.crashFreeUsers,
  'session.exited': row.exited,
  'session.errored': row.errored,
  'session.crashed': row.crashed,
  'session.abnormal': row.abnormal,
  'session.unhandled': row.unhandled,
});
