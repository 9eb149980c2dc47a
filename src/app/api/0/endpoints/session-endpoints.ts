import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { keptBy, PAGE, PROJECTS, RANGE } from '#app/api/0/parameters.ts';
import { readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { SESSION } from '#app/api/0/schemas/telemetry.ts';
import { serializeSession } from '#app/api/0/serializers/serialize-telemetry.ts';
import { getReleaseHealth } from '#product/releases/get-release-health.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

const RANGE_DEFAULT_MS = 24 * 3_600_000;

const LIST_SESSIONS = {
  summary: 'Lists updates of sessions of a project',
  scopes: ['event:read'],
  query: { ...keptBy(['release', 'environment']), ...PAGE, ...RANGE },
  answer: z.array(SESSION),
  isPaged: true,
} satisfies Operation;

export const listSessionsEndpoint = declare(
  LIST_SESSIONS,
  telemetryListEndpoint('sessions', ['release', 'environment'], serializeSession),
);

const RELEASE_HEALTH = {
  summary: 'Counts sessions, users and crash-free rates of releases',
  scopes: ['event:read'],
  query: { ...RANGE, ...PROJECTS },
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
} satisfies Operation;

/**
 * How the sessions of each release of each project went that began in the range.
 * Source of the fields: https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/
 */
export const releaseHealthEndpoint = declare<OrganizationParams>(
  RELEASE_HEALTH,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['query']);
    const ctx = contextOf(caller, params.org);
    const nowMs = ctx.now();
    const range = readRange(url, nowMs) ?? { fromMs: nowMs - RANGE_DEFAULT_MS, toMs: nowMs };
    const environments = url.searchParams.getAll('environment').filter((name) => name !== '');
    const projectSlugs = await readProjects(url, ctx);
    const rows = await getReleaseHealth(ctx, { projectSlugs, range, environments });
    const projects = new Map((await listVisibleProjects(ctx)).map((project) => [project.id, project.slug]));
    return {
      body: {
        start: new Date(range.fromMs).toISOString(),
        end: new Date(range.toMs).toISOString(),
        intervals: [new Date(range.fromMs).toISOString()],
        query: '',
        groups: rows.map((row) => {
          const { projectId, release } = row;
          const totals = totalsOf(row);
          const series = Object.fromEntries(Object.entries(totals).map(([field, value]) => [field, [value]]));
          const projectSlug = projects.get(projectId) ?? null;
          return { by: { project: projectId, projectSlug, release }, totals, series };
        }),
      },
    };
  },
);

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
