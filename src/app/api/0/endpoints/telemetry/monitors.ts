import { z } from 'zod';
import { MONITOR_CHANGE, NEW_MONITOR, readMonitorBody } from '#app/api/0/endpoints/telemetry/monitor-body.ts';
import {
  CHECK_IN,
  ENVIRONMENT,
  MONITOR,
  MONITOR_STATS,
  serializeCheckIn,
  serializeEnvironment,
  serializeMonitor,
} from '#app/api/0/endpoints/telemetry/monitor-shapes.ts';
import { keptBy } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { selectProject } from '#app/api/0/path-scope.ts';
import {
  ENVIRONMENTS,
  PAGE,
  type Parameter,
  PROJECTS,
  period,
  RANGE,
  texts,
  WORDS,
} from '#app/api/0/query.ts';
import type { LoadPage } from '#app/api/0/reply.ts';
import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import {
  createMonitor,
  deleteMonitor,
  deleteMonitorEnvironment,
  getMonitorToChange,
  updateMonitor,
  updateMonitorEnvironment,
} from '#product/monitors/change-monitors.ts';
import { getMonitorStats } from '#product/monitors/monitor-stats.ts';
import { getMonitor, listCheckIns, listMonitors, type ProjectMonitor } from '#product/monitors/monitors.ts';
import { alignRange, type Range } from '#product/time-buckets.ts';

const RESOLUTION = period('Bucket size, such as 1h');

/** `since` and `until` in seconds, a day up to now unless they are given; in whole buckets. */
const STATS_RANGE = {
  window: {
    schema: {
      since: z.string().describe('Start of the time range, in seconds since the epoch'),
      until: z.string().describe('End of the time range, in seconds since the epoch'),
      resolution: RESOLUTION.schema as z.ZodType,
    },
    async read(searchParams, _, ctx) {
      const seconds = (name: string, otherwise: number): number => {
        const text = searchParams.get(name);
        if (text === null || text === '') return otherwise;
        if (!/^\d{1,11}(?:\.\d{1,6})?$/.test(text)) {
          throw invalid(`${name} must be a number of seconds since the epoch`, name);
        }
        return Number(text) * SECOND_MS;
      };
      const toMs = seconds('until', ctx.now());
      const fromMs = seconds('since', toMs - DAY_MS);
      const bucketMs = (await RESOLUTION.read(searchParams, 'resolution', ctx)) ?? HOUR_MS;
      return { range: alignRange({ fromMs, toMs }, bucketMs), bucketMs };
    },
  } satisfies Parameter<{ range: Range; bucketMs: number }>,
};

/** Where one monitor lies: in the organization, in which the oldest project's counts, or in a project. */
const ONE = [
  'organizations/[org]/monitors/[monitor]',
  'projects/[org]/[project]/monitors/[monitor]',
] as const;

type Named = {
  ctx: Context;
  project?: Project | null;
  params: { readonly monitor: string };
  query: { readonly projectSlugs: readonly string[] };
};

const nameOf = ({ project, params, query }: Named) => ({
  projectSlugs: project ? [project.slug] : query.projectSlugs,
  slug: params.monitor,
});

/** Throws NotFound. */
const monitorOf = (call: Named): Promise<ProjectMonitor> => getMonitor(call.ctx, nameOf(call));

/** Throws NotFound. */
const toChange = (call: Named): Promise<ProjectMonitor> => getMonitorToChange(call.ctx, nameOf(call));

const READ = { scopes: ['event:read'], query: PROJECTS } as const;
const WRITE = { scopes: ['alerts:write', 'project:write'], query: PROJECTS } as const;

export const monitorOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/ */
  get('organizations/[org]/monitors', {
    summary: 'Lists monitors',
    scopes: ['event:read'],
    query: { ...PAGE, ...PROJECTS, ...ENVIRONMENTS, ...WORDS },
    answer: z.array(MONITOR),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { projectSlugs, environments, limit, search: text } = query;
      return page(async (cursor) => {
        const { rows, nextCursor } = await listMonitors(ctx, {
          projectSlugs,
          environments,
          text,
          limit,
          cursor,
        });
        return { rows: rows.map((row) => serializeMonitor(row, ctx)), nextCursor };
      });
    },
  }),

  /** Source: https://docs.sentry.io/api/crons/create-a-monitor/ */
  post('organizations/[org]/monitors', {
    summary: 'Creates a monitor',
    scopes: ['alerts:write', 'project:write'],
    body: NEW_MONITOR,
    answer: MONITOR,
    status: 201,
    async handle({ ctx, body }) {
      const project = await selectProject(ctx, body.project);
      const input = readMonitorBody(body);
      return serializeMonitor(await createMonitor(ctx, { ...input, projectSlug: project.slug }), ctx);
    },
  }),

  /** Source: https://docs.sentry.io/api/crons/retrieve-a-monitor/ */
  get(ONE, {
    ...READ,
    summary: 'Retrieves a monitor',
    answer: MONITOR,
    handle: async (call) => serializeMonitor(await monitorOf(call), call.ctx),
  }),

  /** Source: https://docs.sentry.io/api/crons/update-a-monitor/ */
  put(ONE, {
    ...WRITE,
    summary: 'Updates a monitor',
    body: MONITOR_CHANGE,
    answer: MONITOR,
    async handle(call) {
      const { id } = await toChange(call);
      return serializeMonitor(await updateMonitor(call.ctx, id, readMonitorBody(call.body)), call.ctx);
    },
  }),

  /** Source: https://docs.sentry.io/api/crons/delete-a-monitor-or-monitor-environments/ */
  del(ONE, {
    ...WRITE,
    summary: 'Deletes a monitor, or what is known of it in environments',
    query: { ...PROJECTS, environment: texts('Environments to delete; the whole monitor if omitted') },
    answer: null,
    status: 202,
    async handle(call) {
      const { id } = await toChange(call);
      const { environment } = call.query;
      if (environment.length === 0) await deleteMonitor(call.ctx, id);
      for (const name of environment) await deleteMonitorEnvironment(call.ctx, id, name);
      return null;
    },
  }),

  /** Source: src/sentry/monitors/endpoints/project_monitor_environment_details.py */
  put(
    ONE.map((path) => `${path}/environments/[environment]` as const),
    {
      ...WRITE,
      summary: 'Mutes or disables a monitor in one environment',
      body: z.object({ isMuted: z.boolean().optional(), status: z.enum(['active', 'disabled']).optional() }),
      answer: ENVIRONMENT,
      async handle(call) {
        const { id } = await toChange(call);
        const { isMuted, status } = call.body;
        const { environment } = call.params;
        const { environments } = await updateMonitorEnvironment(call.ctx, id, environment, {
          ...(isMuted !== undefined && { isMuted }),
          ...(status !== undefined && { isDisabled: status === 'disabled' }),
        });
        return serializeEnvironment(environments.find(({ name }) => name === environment)!);
      },
    },
  ),

  /** Source: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
  get(
    ONE.map((path) => `${path}/checkins` as const),
    {
      ...READ,
      summary: "Lists a monitor's check-ins",
      query: { ...PAGE, ...RANGE, ...PROJECTS, ...ENVIRONMENTS },
      answer: z.array(CHECK_IN),
      isPaged: true,
      async handle(call) {
        const { project, slug } = await monitorOf(call);
        return call.page(loadCheckIns(call.ctx, project, slug, call.query));
      },
    },
  ),

  /** Source: src/sentry/monitors/endpoints/base_monitor_stats.py */
  get(
    ONE.map((path) => `${path}/stats` as const),
    {
      ...READ,
      summary: "Counts a monitor's check-ins over time",
      query: { ...PROJECTS, ...ENVIRONMENTS, ...STATS_RANGE },
      answer: z.array(MONITOR_STATS),
      async handle(call) {
        const monitor = await monitorOf(call);
        const { environments, window } = call.query;
        const stats = await getMonitorStats(call.ctx, monitor, { ...window, environments });
        return stats.buckets.map(({ fromMs, counts, averageDurationMs }) => ({
          ts: fromMs / SECOND_MS,
          ok: counts.ok ?? 0,
          error: counts.error ?? 0,
          missed: counts.missed ?? 0,
          timeout: counts.timeout ?? 0,
          duration: averageDurationMs ?? 0,
        }));
      },
    },
  ),

  /** Check-ins of all monitors of a project, or of the one that `monitorSlug` names. */
  get('projects/[org]/[project]/check-ins', {
    summary: "Lists a project's check-ins",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE, ...keptBy(['monitorSlug']) },
    answer: z.array(CHECK_IN),
    isPaged: true,
    handle: async ({ ctx, project, query, page }) =>
      page(loadCheckIns(ctx, project, query.filter.monitorSlug ?? null, query)),
  }),
];

const loadCheckIns =
  (
    ctx: Context,
    project: Project,
    monitorSlug: string | null,
    {
      limit,
      range,
      environments = [],
    }: { limit: number; range: Range | null; environments?: readonly string[] },
  ): LoadPage =>
  async (cursor) => {
    const input = { projectSlug: project.slug, monitorSlug, environments, limit, range, cursor };
    const { rows, nextCursor } = await listCheckIns(ctx, input);
    return { rows: rows.map(serializeCheckIn), nextCursor };
  };
