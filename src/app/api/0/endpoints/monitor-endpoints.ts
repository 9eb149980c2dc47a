import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { keptBy, PAGE, PROJECTS, RANGE } from '#app/api/0/parameters.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { CHECK_IN, MONITOR } from '#app/api/0/schemas/monitor.ts';
import { serializeCheckIn, serializeMonitor } from '#app/api/0/serializers/serialize-monitor.ts';
import type { Context } from '#product/context.ts';
import { getMonitor, listCheckIns, listMonitors } from '#product/monitors/monitors.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';
import { readTelemetryFilter } from './telemetry-list-endpoint.ts';

type MonitorParams = OrganizationParams & { monitor: string };
type ProjectMonitorParams = ProjectParams & { monitor: string };

const LIST_MONITORS = {
  summary: 'Lists monitors that have checked in',
  scopes: ['event:read'],
  query: { ...PAGE, ...PROJECTS },
  answer: z.array(MONITOR),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/ */
export const listMonitorsEndpoint = declare<OrganizationParams>(
  LIST_MONITORS,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['query', 'environment']);
    const ctx = contextOf(caller, params.org);
    const input = { projectSlugs: await readProjects(url, ctx), limit: readLimit(url) };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { rows, nextCursor } = await listMonitors(ctx, { ...input, cursor });
      return { rows: rows.map((row) => serializeMonitor(ctx, row)), nextCursor };
    });
  },
);

const GET_MONITOR = {
  summary: 'Answers a monitor',
  scopes: ['event:read'],
  query: { ...PROJECTS },
  answer: MONITOR,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/crons/retrieve-a-monitor/ */
export const getMonitorEndpoint = declare<MonitorParams>(GET_MONITOR, async ({ caller, params, url }) => {
  const ctx = contextOf(caller, params.org);
  const projectSlugs = await readProjects(url, ctx);
  return { body: serializeMonitor(ctx, await getMonitor(ctx, { projectSlugs, slug: params.monitor })) };
});

const GET_PROJECT_MONITOR = {
  summary: 'Answers a monitor of a project',
  scopes: ['event:read'],
  answer: MONITOR,
} satisfies Operation;

/** The same of one project. Source: https://docs.sentry.io/api/crons/retrieve-a-monitor-for-a-project/ */
export const getProjectMonitorEndpoint = declare<ProjectMonitorParams>(
  GET_PROJECT_MONITOR,
  async ({ caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    const found = await getMonitor(ctx, { projectSlugs: [project.slug], slug: params.monitor });
    return { body: serializeMonitor(ctx, found) };
  },
);

const LIST_MONITOR_CHECK_INS = {
  summary: 'Lists the check-ins of a monitor',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE, ...PROJECTS },
  answer: z.array(CHECK_IN),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
export const listMonitorCheckInsEndpoint = declare<MonitorParams>(
  LIST_MONITOR_CHECK_INS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    return answerCheckIns(ctx, url, await readProjects(url, ctx), params.monitor);
  },
);

const LIST_PROJECT_MONITOR_CHECK_INS = {
  summary: 'Lists the check-ins of a monitor of a project',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE },
  answer: z.array(CHECK_IN),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor-by-project/ */
export const listProjectMonitorCheckInsEndpoint = declare<ProjectMonitorParams>(
  LIST_PROJECT_MONITOR_CHECK_INS,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    return answerCheckIns(ctx, call.url, [project.slug], call.params.monitor);
  },
);

async function answerCheckIns(ctx: Context, url: URL, projectSlugs: readonly string[], monitor: string) {
  refuseParameters(url, ['query', 'environment']);
  const { project, slug } = await getMonitor(ctx, { projectSlugs, slug: monitor });
  const input = {
    projectSlug: project.slug,
    monitorSlug: slug,
    limit: readLimit(url),
    range: readRange(url, ctx.now()),
  };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { rows, nextCursor } = await listCheckIns(ctx, { ...input, cursor });
    return { rows: rows.map(serializeCheckIn), nextCursor };
  });
}

const LIST_PROJECT_CHECK_INS = {
  summary: 'Lists the check-ins of a project',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE, ...keptBy(['monitorSlug']) },
  answer: z.array(CHECK_IN),
  isPaged: true,
} satisfies Operation;

/** Check-ins of all monitors of a project, or of the one that `monitorSlug` names. */
export const listProjectCheckInsEndpoint = declare<ProjectParams>(
  LIST_PROJECT_CHECK_INS,
  async ({ caller, params, url }) => {
    const { monitorSlug = null } = readTelemetryFilter(url, ['monitorSlug']);
    const { ctx, project } = await findProject(caller, params);
    const input = {
      projectSlug: project.slug,
      monitorSlug,
      limit: readLimit(url),
      range: readRange(url, ctx.now()),
    };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { rows, nextCursor } = await listCheckIns(ctx, { ...input, cursor });
      return { rows: rows.map(serializeCheckIn), nextCursor };
    });
  },
);
