import { z } from 'zod';
import type { UptimeCheck } from '#domain/uptime/check.ts';
import type { UptimeIncident } from '#domain/uptime/incident.ts';
import type { UptimeMonitor } from '#domain/uptime/monitor.ts';
import type { Context } from '#product/context.ts';
import {
  getUptimeHistories,
  listUptimeChecks,
  listUptimeIncidents,
  UPTIME_PERIODS,
  type UptimePeriod,
} from '#product/uptime/uptime-history.ts';
import { getUptimeMonitor, listUptimeMonitors } from '#product/uptime/uptime-monitors.ts';
import { cursorInput, limitInput, projectInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

const periodInput = z
  .enum(Object.keys(UPTIME_PERIODS) as [UptimePeriod, ...UptimePeriod[]])
  .default('7d')
  .describe('The period of the availability.');

export const findUptimeMonitors = defineTool({
  name: 'find_uptime_monitors',
  title: 'Find uptime monitors',
  description:
    'Uptime monitors by name: the URL that each requests, whether it is up or down and since when, its availability in the period, and why the last check failed.',
  right: 'project:read',
  input: z.strictObject({
    project: projectInput,
    period: periodInput,
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { project, period, limit, cursor = null }) {
    const { rows, nextCursor } = await listUptimeMonitors(ctx, {
      projectSlugs: project ? [project] : [],
      cursor,
      limit,
    });
    if (rows.length === 0) return 'No uptime monitors.';
    const histories = await getUptimeHistories(
      ctx,
      rows.map(({ monitor }) => monitor),
      period,
    );
    return paragraphs(
      DATA_SENTENCE,
      `Each row: number | project | state | availability in the last ${period} | average response | last problem | name | URL`,
      fencedRows(
        rows.map(({ monitor, project }) => {
          const history = histories.get(monitor.id);
          return [
            monitor.id,
            project.slug,
            stateOf(monitor),
            percent(history?.availability ?? null),
            milliseconds(history?.averageMs ?? null),
            monitor.lastProblem ?? 'no problem',
            monitor.name,
            monitor.url,
          ].join(' | ');
        }),
      ),
      moreRows(nextCursor),
    );
  },
});

export const getUptimeMonitorTool = defineTool({
  name: 'get_uptime_monitor',
  title: 'Read an uptime monitor',
  description:
    'An uptime monitor: what it requests and expects, its availability, its incidents of the last 90 days with their reasons, and its last checks with status, response time and reason.',
  right: 'project:read',
  input: z.strictObject({
    monitor: z
      .number()
      .int()
      .positive()
      .describe('Number of the monitor, as find_uptime_monitors lists it, or in the address of its page.'),
    period: periodInput,
    status: z
      .enum(['success', 'failure', 'unknown'])
      .optional()
      .describe('Only checks that ended so. Defaults to all checks.'),
    limit: limitInput.describe('Number of checks to return.'),
    cursor: cursorInput,
  }),
  async run(ctx, { monitor: monitorId, period, status = null, limit, cursor = null }) {
    const { monitor, project } = await getUptimeMonitor(ctx, monitorId);
    const [histories, incidents, checks] = await Promise.all([
      getUptimeHistories(ctx, [monitor], period),
      listUptimeIncidents(ctx, monitorId),
      listUptimeChecks(ctx, { monitorId, cursor, limit, status }),
    ]);
    const history = histories.get(monitor.id);
    return paragraphs(
      '# An uptime monitor',
      DATA_SENTENCE,
      `Page: ${uptimePage(ctx, monitor)}`,
      fencedFacts([
        ['name', monitor.name],
        ['project', project.slug],
        ['request', `${monitor.definition.method} ${monitor.url} every ${monitor.intervalSeconds} seconds`],
        ['environment', monitor.environment],
        ['owner', monitor.owner?.name ?? null],
        ['state', stateOf(monitor)],
        [`availability in the last ${period}`, percent(history?.availability ?? null)],
        ['average response', milliseconds(history?.averageMs ?? null)],
        ['last problem', monitor.lastProblem],
        [
          'certificate expires',
          monitor.certificateExpiresAt === null ? null : moment(monitor.certificateExpiresAt),
        ],
      ]),
      incidents.length === 0
        ? 'No incidents in the last 90 days.'
        : paragraphs(
            '## Incidents, newest first',
            'Each row: began | ended | kind | reason',
            fencedRows(incidents.slice(0, INCIDENTS_SHOWN).map(incidentRow)),
          ),
      checks.rows.length === 0
        ? 'No matching checks are stored.'
        : paragraphs(
            '## Checks, newest first',
            'Each row: time | status | HTTP status | duration | reason',
            fencedRows(checks.rows.map(checkRow)),
            moreRows(checks.nextCursor),
          ),
    );
  },
});

const INCIDENTS_SHOWN = 10;

const stateOf = ({ isEnabled, state, stateSince }: UptimeMonitor): string => {
  if (!isEnabled) return 'paused';
  return stateSince === null ? state : `${state} since ${moment(stateSince)}`;
};

const incidentRow = ({ startedAt, endedAt, kind, evidence }: UptimeIncident): string =>
  [
    moment(startedAt),
    endedAt === null ? 'goes on' : moment(endedAt),
    kind,
    evidence.detail || 'the certificate expires',
  ].join(' | ');

const checkRow = ({ checkedAt, status, statusCode, durationMs, detail }: UptimeCheck): string =>
  [
    moment(checkedAt),
    status,
    statusCode ?? 'no response',
    milliseconds(durationMs),
    detail || 'as expected',
  ].join(' | ');

const percent = (share: number | null): string =>
  share === null ? 'no checks' : `${Number((share * 100).toFixed(3))}%`;

const milliseconds = (value: number | null): string => (value === null ? '-' : `${Math.round(value)} ms`);

const uptimePage = (
  { publicUrl, organization }: Pick<Context, 'publicUrl' | 'organization'>,
  { id }: { id: number },
): string => `${publicUrl}/${organization.slug}/monitors/uptime/${id}`;
