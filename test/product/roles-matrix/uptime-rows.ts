import { createUptimeProber } from '#delivery/http/uptime-prober.ts';
import { INTERNET } from '#lib/guarded-request/network.ts';
import { UPTIME_DEFAULTS, type UptimeMonitorInput } from '#product/uptime/check-uptime-monitor.ts';
import { getStatusPage, updateStatusPage } from '#product/uptime/status-page.ts';
import { suggestUptimeHosts } from '#product/uptime/suggest-uptime-hosts.ts';
import { tryUptimeCheck } from '#product/uptime/try-uptime-check.ts';
import { getUptimeHistories, listUptimeChecks, listUptimeIncidents } from '#product/uptime/uptime-history.ts';
import {
  createUptimeMonitor,
  deleteUptimeMonitor,
  getUptimeMonitor,
  listUptimeMonitors,
  setUptimeMonitorEnabled,
  updateUptimeMonitor,
} from '#product/uptime/uptime-monitors.ts';
import { NOON_MS } from '../../contract/sample-events.ts';
import { type ActionRow, row as actionRow, BEFORE, below, form } from './action-row.ts';
import { type ApiRequest, type ApiRow, row } from './api-row.ts';
import { reads, settings, type VerbRow } from './rows.ts';
import type { MatrixScene } from './scene.ts';

/** Refused before anything is sent. */
const URL = 'http://127.0.0.1:1/health';

/** A monitor of `web`. */
export async function newUptimeMonitor(s: MatrixScene): Promise<number> {
  const settings = {
    projectId: s.web.id,
    name: s.unique(),
    url: URL,
    intervalSeconds: 60 as const,
    environment: null,
    owner: null,
    isEnabled: true,
    headers: {},
    definition: { ...UPTIME_DEFAULTS, headerNames: [] },
  };
  return (await s.product.stores.uptimeMonitors.add(s.mine.id, settings, null, NOON_MS)).id;
}

const input = (s: MatrixScene): UptimeMonitorInput => ({
  projectSlug: 'web',
  name: s.unique(),
  url: URL,
  intervalSeconds: 60,
  environment: null,
  owner: null,
  isEnabled: true,
  headers: {},
  definition: {},
});
const page = (s: MatrixScene) => ({
  slug: `status-${s.unique()}`.toLowerCase(),
  title: 'Status',
  isPublic: false,
  showsUrls: false,
  monitorIds: [],
});

export const UPTIME_CHANGES: Readonly<Record<string, VerbRow>> = {
  createUptimeMonitor: settings('admin', 'uptime_monitor.add', (ctx, s) =>
    createUptimeMonitor(ctx, input(s)),
  ),
  updateUptimeMonitor: settings('admin', 'uptime_monitor.edit', async (ctx, s) =>
    updateUptimeMonitor(ctx, await newUptimeMonitor(s), input(s)),
  ),
  setUptimeMonitorEnabled: settings('admin', 'uptime_monitor.edit', async (ctx, s) =>
    setUptimeMonitorEnabled(ctx, await newUptimeMonitor(s), false),
  ),
  deleteUptimeMonitor: settings('admin', 'uptime_monitor.remove', async (ctx, s) =>
    deleteUptimeMonitor(ctx, await newUptimeMonitor(s)),
  ),
  updateStatusPage: settings('owner', 'org.status-page.edit', (ctx, s) => updateStatusPage(ctx, page(s))),
};

export const UPTIME_READS: Readonly<Record<string, VerbRow>> = {
  listUptimeMonitors: reads('viewer', async (ctx, s) => {
    await newUptimeMonitor(s);
    return await listUptimeMonitors(ctx, { projectSlugs: [], cursor: null, limit: 10 });
  }),
  getUptimeMonitor: reads('viewer', async (ctx, s) => getUptimeMonitor(ctx, await newUptimeMonitor(s))),
  getUptimeHistories: reads('viewer', async (ctx, s) =>
    getUptimeHistories(ctx, [{ id: await newUptimeMonitor(s), projectId: s.web.id }], '24h'),
  ),
  listUptimeChecks: reads('viewer', async (ctx, s) =>
    listUptimeChecks(ctx, { monitorId: await newUptimeMonitor(s), cursor: null, limit: 10 }),
  ),
  listUptimeIncidents: reads('viewer', async (ctx, s) => listUptimeIncidents(ctx, await newUptimeMonitor(s))),
  suggestUptimeHosts: reads('viewer', async (ctx, s) => {
    const tags = [['url', 'https://shop.example.com/cart']] as const;
    await s.product.ingest(s.mine, [{ projectId: s.web.id, tags }]);
    return await suggestUptimeHosts(ctx);
  }),
  getStatusPage: reads('viewer', (ctx) => getStatusPage(ctx)),
  tryUptimeCheck: reads('admin', async (ctx, s) =>
    tryUptimeCheck(ctx, createUptimeProber(INTERNET), input(s), await newUptimeMonitor(s)),
  ),
};

const ofMonitor = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { project: 'web', monitor: String(await newUptimeMonitor(s)) },
  body: { name: s.unique() },
});
const OF_PROJECT = 'projects/[org]/[project]/uptime';

export const UPTIME_ROWS: Readonly<Record<string, ApiRow>> = {
  'GET organizations/[org]/uptime': row('viewer', async (s) => {
    await newUptimeMonitor(s);
    return {};
  }),
  [`POST ${OF_PROJECT}`]: row('admin', (s) => ({
    body: { name: s.unique(), url: URL, intervalSeconds: 60 },
  })),
  [`GET ${OF_PROJECT}/[monitor]`]: row('viewer', ofMonitor),
  [`PUT ${OF_PROJECT}/[monitor]`]: row('admin', ofMonitor),
  [`DELETE ${OF_PROJECT}/[monitor]`]: row('admin', ofMonitor),
  [`GET ${OF_PROJECT}/[monitor]/checks`]: row('viewer', ofMonitor),
};

const VALUES = {
  name: 'Shop',
  url: URL,
  method: 'GET',
  intervalSeconds: '60',
  timeoutSeconds: '1',
  statuses: '200',
  certificateDays: '14',
  failuresMin: '3',
  recoveriesMin: '1',
  projectSlug: 'web',
};

export const UPTIME_ACTIONS: Readonly<Record<string, ActionRow>> = below(
  'app/[org]/monitors/uptime/actions.ts',
  {
    saveUptimeMonitorAction: actionRow('updateUptimeMonitor', async (s) => [
      s.mine.slug,
      { monitorId: await newUptimeMonitor(s) },
      BEFORE,
      form(VALUES),
    ]),
    tryUptimeCheckAction: actionRow('tryUptimeCheck', async (s) => [
      s.mine.slug,
      { monitorId: await newUptimeMonitor(s), values: Object.entries(VALUES) },
    ]),
    setUptimeMonitorEnabledAction: actionRow('setUptimeMonitorEnabled', async (s) => [
      s.mine.slug,
      { monitorId: await newUptimeMonitor(s), isEnabled: false },
    ]),
    deleteUptimeMonitorAction: actionRow('deleteUptimeMonitor', async (s) => [
      s.mine.slug,
      await newUptimeMonitor(s),
    ]),
    saveStatusPageAction: actionRow('updateStatusPage', (s) => [
      s.mine.slug,
      {},
      BEFORE,
      form({ title: 'Status', slug: `status-${s.unique()}`.toLowerCase() }),
    ]),
  },
);
