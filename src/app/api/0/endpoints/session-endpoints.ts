import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { serializeSession } from '#app/api/0/serializers/serialize-telemetry.ts';
import { getReleaseHealth } from '#product/sessions/get-release-health.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

const RANGE_DEFAULT_MS = 24 * 3_600_000;

export const listSessionsEndpoint = telemetryListEndpoint(
  'sessions',
  ['release', 'environment'],
  serializeSession,
);

/**
 * How the sessions of each release of each project went that began in the range.
 * Source of the fields: https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/
 */
export const releaseHealthEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params, url }) => {
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
      groups: rows.map((row) => ({
        by: {
          project: row.projectId,
          projectSlug: projects.get(row.projectId) ?? null,
          release: row.release,
        },
        totals: {
          'sum(session)': row.sessions,
          'count_unique(user)': row.users,
          'crash_free_rate(session)': row.crashFreeSessions,
          'crash_free_rate(user)': row.crashFreeUsers,
          'session.exited': row.exited,
          'session.errored': row.errored,
          'session.crashed': row.crashed,
          'session.abnormal': row.abnormal,
          'session.unhandled': row.unhandled,
        },
      })),
    },
  };
};
