import type { EventScope } from '#storage/ports/events.ts';
import type { MonitorEnvironment, MonitorSummary } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import type { SqlPart } from '../list-param.ts';
import { both, inScope } from './in-scope.ts';

/** Environments of the monitors of one answer. */
const ENVIRONMENTS_MAX = 10_000;

/** Monitors by slug, then by project, after one of them. */
export function readMonitors(
  database: ClickhouseDatabase,
  scope: EventScope,
  limit: number,
  after: { slug: string; projectId: number } | null,
): Promise<readonly MonitorSummary[]> {
  const isAfter = after
    ? `AND (monitor_slug > {afterSlug:String}
         OR (monitor_slug = {afterSlug:String} AND project_id > {afterProject:UInt64}))`
    : '';
  const visible = inScope(scope);
  return summarize(database, {
    sql: `${visible.sql} AND (project_id, monitor_slug) IN (
        SELECT DISTINCT project_id, monitor_slug FROM check_ins
        WHERE ${visible.sql} ${isAfter}
        ORDER BY monitor_slug, project_id
        LIMIT {monitors:UInt32}
      )`,
    params: {
      ...visible.params,
      monitors: limit,
      ...(after ? { afterSlug: after.slug, afterProject: after.projectId } : {}),
    },
  });
}

/** Every project's monitor of that name. */
export const readMonitor = (
  database: ClickhouseDatabase,
  scope: EventScope,
  slug: string,
): Promise<readonly MonitorSummary[]> =>
  summarize(database, both(inScope(scope), { sql: 'monitor_slug = {slug:String}', params: { slug } }));

async function summarize(
  database: ClickhouseDatabase,
  conditions: SqlPart,
): Promise<readonly MonitorSummary[]> {
  const rows = await database.query<EnvironmentCells>(
    `SELECT project_id, monitor_slug, environment,
       argMaxIf(status, (occurred_at, received_at), status != 'in_progress') AS ended_status,
       argMaxIf(monitor_config, (occurred_at, received_at), monitor_config != '') AS config,
       toUnixTimestamp64Milli(maxIf(occurred_at, monitor_config != '')) AS config_ms,
       toUnixTimestamp64Milli(min(occurred_at)) AS first_ms,
       toUnixTimestamp64Milli(max(occurred_at)) AS last_ms
     FROM check_ins WHERE ${conditions.sql}
     GROUP BY project_id, monitor_slug, environment
     ORDER BY monitor_slug, project_id, environment
     LIMIT ${ENVIRONMENTS_MAX}`,
    conditions.params,
  );
  const monitors = new Map<string, EnvironmentCells[]>();
  for (const row of rows) {
    const key = `${row.project_id}:${row.monitor_slug}`;
    const own = monitors.get(key);
    if (own) own.push(row);
    else monitors.set(key, [row]);
  }
  return [...monitors.values()].map(toMonitor);
}

type EnvironmentCells = {
  project_id: number;
  monitor_slug: string;
  environment: string;
  ended_status: NonNullable<MonitorEnvironment['status']> | '';
  config: string;
  config_ms: number;
  first_ms: number;
  last_ms: number;
};

function toMonitor(environments: readonly EnvironmentCells[]): MonitorSummary {
  const first = environments[0]!;
  const newest = environments.reduce((best, each) => (each.config_ms > best.config_ms ? each : best), first);
  return {
    projectId: first.project_id,
    slug: first.monitor_slug,
    config: newest.config === '' ? null : JSON.parse(newest.config),
    environments: environments.map((each) => ({
      name: each.environment,
      status: each.ended_status || null,
      firstCheckInAt: each.first_ms,
      lastCheckInAt: each.last_ms,
    })),
  };
}
