import {
  createMonitor,
  deleteMonitor,
  deleteMonitorEnvironment,
  getMonitorToChange,
  updateMonitor,
  updateMonitorEnvironment,
} from '#product/monitors/change-monitors.ts';
import { getMonitorStats, getMonitorTimelines } from '#product/monitors/monitor-stats.ts';
import { findMonitor, getMonitor, type ProjectMonitor } from '#product/monitors/monitors.ts';
import { HOUR_MS } from '../../contract/sample-events.ts';
import { digestCheckIns, watchMonitors } from '../take-in-check-ins.ts';
import { type ApiRow, row } from './api-row.ts';
import { reads, settings, type VerbRow } from './rows.ts';
import type { MatrixScene } from './scene.ts';

const ORG = 'organizations/[org]/monitors';
const PROJECT = 'projects/[org]/[project]/monitors';

const SCHEDULE = { type: 'crontab', value: '0 3 * * *' } as const;
const ENVIRONMENT = 'production';

export const newMonitor = (s: MatrixScene): Promise<ProjectMonitor> =>
  createMonitor(s.owner, { projectSlug: s.web.slug, name: `Job ${s.unique()}`, schedule: SCHEDULE });

/** One that has checked in. */
export async function newHeardMonitor(s: MatrixScene): Promise<ProjectMonitor> {
  const { slug } = await newMonitor(s);
  const at = s.product.clock.nowMs;
  await digestCheckIns(s.product, [
    {
      organizationId: s.mine.id,
      projectId: s.web.id,
      keyId: 1,
      receivedAt: at,
      checkInId: '0'.repeat(32),
      monitorSlug: slug,
      status: 'ok',
      environment: ENVIRONMENT,
      occurredAt: at,
      durationMs: null,
      traceId: null,
      monitorConfig: null,
    },
  ]);
  await watchMonitors(s.product);
  return getMonitor(s.owner, { projectSlugs: [s.web.slug], slug });
}

export const MONITOR_CHANGES: Readonly<Record<string, VerbRow>> = {
  createMonitor: settings('admin', 'monitor.add', (ctx, s) =>
    createMonitor(ctx, { projectSlug: s.web.slug, name: `Job ${s.unique()}`, schedule: SCHEDULE }),
  ),
  updateMonitor: settings('admin', 'monitor.edit', async (ctx, s) =>
    updateMonitor(ctx, (await newMonitor(s)).id, { name: `Job ${s.unique()}` }),
  ),
  deleteMonitor: settings('admin', 'monitor.remove', async (ctx, s) =>
    deleteMonitor(ctx, (await newMonitor(s)).id),
  ),
  updateMonitorEnvironment: settings('admin', 'monitor.environment.edit', async (ctx, s) =>
    updateMonitorEnvironment(ctx, (await newHeardMonitor(s)).id, ENVIRONMENT, { isMuted: true }),
  ),
  deleteMonitorEnvironment: settings('admin', 'monitor.environment.remove', async (ctx, s) =>
    deleteMonitorEnvironment(ctx, (await newHeardMonitor(s)).id, ENVIRONMENT),
  ),
};

export const MONITOR_READS: Readonly<Record<string, VerbRow>> = {
  findMonitor: reads('viewer', async (ctx, s) => findMonitor(ctx, (await newMonitor(s)).id)),
  getMonitorToChange: reads('admin', async (ctx, s) =>
    getMonitorToChange(ctx, { projectSlugs: [], slug: (await newMonitor(s)).slug }),
  ),
  getMonitorStats: reads('viewer', async (ctx, s) =>
    getMonitorStats(ctx, await newMonitor(s), { range: s.range, bucketMs: HOUR_MS, environments: [] }),
  ),
  getMonitorTimelines: reads('viewer', async (ctx, s) =>
    getMonitorTimelines(ctx, [await newMonitor(s)], s.range, HOUR_MS),
  ),
};

const CONFIG = { schedule_type: 'crontab', schedule: '0 3 * * *' };

const ofMonitor = async (s: MatrixScene) => ({
  params: { monitor: (await newMonitor(s)).slug },
  body: { name: `Job ${s.unique()}`, config: CONFIG },
});
const ofEnvironment = async (s: MatrixScene) => ({
  params: { monitor: (await newHeardMonitor(s)).slug, environment: ENVIRONMENT },
  body: { isMuted: true },
});

export const MONITOR_ROWS: Readonly<Record<string, ApiRow>> = {
  [`POST ${ORG}`]: row('admin', (s) => ({
    body: { project: s.web.slug, name: `Job ${s.unique()}`, config: CONFIG },
  })),
  ...Object.fromEntries(
    [ORG, PROJECT].flatMap((path) => [
      [`PUT ${path}/[monitor]`, row('admin', ofMonitor)],
      [`DELETE ${path}/[monitor]`, row('admin', ofMonitor)],
      [`PUT ${path}/[monitor]/environments/[environment]`, row('admin', ofEnvironment)],
    ]),
  ),
};
