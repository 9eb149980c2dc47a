import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { serializeCheckIn, serializeMonitor } from '#app/api/0/serializers/serialize-monitor.ts';
import { getMonitor } from '#product/monitors/get-monitor.ts';
import { listCheckIns } from '#product/monitors/list-check-ins.ts';
import { listMonitors } from '#product/monitors/list-monitors.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';
import { readTelemetryFilter } from './telemetry-list-endpoint.ts';

type MonitorParams = OrganizationParams & { monitor: string };

/** Source: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/ */
export const listMonitorsEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params, url }) => {
  refuseParameters(url, ['query', 'environment']);
  const ctx = contextOf(caller, params.org);
  const input = { projectSlugs: await readProjects(url, ctx), limit: readLimit(url) };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { rows, nextCursor } = await listMonitors(ctx, { ...input, cursor });
    return { rows: rows.map(serializeMonitor), nextCursor };
  });
};

/** Source: https://docs.sentry.io/api/crons/retrieve-a-monitor/ */
export const getMonitorEndpoint: ApiEndpoint<MonitorParams> = async ({ caller, params, url }) => {
  const ctx = contextOf(caller, params.org);
  const projectSlugs = await readProjects(url, ctx);
  return { body: serializeMonitor(await getMonitor(ctx, { projectSlugs, slug: params.monitor })) };
};

/** Source: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
export const listMonitorCheckInsEndpoint: ApiEndpoint<MonitorParams> = async ({ caller, params, url }) => {
  refuseParameters(url, ['query', 'environment']);
  const ctx = contextOf(caller, params.org);
  const projectSlugs = await readProjects(url, ctx);
  const { project, slug } = await getMonitor(ctx, { projectSlugs, slug: params.monitor });
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
};

/** Check-ins of all monitors of a project, or of the one that `monitorSlug` names. */
export const listProjectCheckInsEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
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
};
