import { suggestSlug } from '#lib/slug.ts';
import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { TransferRecord } from '../../records.ts';
import { numberOf, textOf } from '../foreign-values.ts';
import { placeholders } from '../read-by-key.ts';
import { unmapped } from '../unmapped.ts';
import type { GlitchtipSchema } from './glitchtip-schema.ts';
import type { GlitchtipProject } from './read-structure.ts';

const HEARTBEAT = 'Heartbeat';
const METHODS: Readonly<Record<string, 'HEAD' | 'GET' | 'POST'>> = { Ping: 'HEAD', GET: 'GET', POST: 'POST' };
/** Unless the monitor says otherwise; and the most that both can do. */
const TIMEOUT_SECONDS_DEFAULT = 20;
const INTERVAL_SECONDS_MAX = 3_600;

async function listMonitors(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
): Promise<readonly ForeignRow[]> {
  if (projects.length === 0 || schema.tableOf('uptime_monitor') === null) return [];
  return database.rows(
    `SELECT monitor.*, environment.name AS environment FROM uptime_monitor monitor
       LEFT JOIN environments_environment environment ON environment.id = monitor.environment_id
       WHERE monitor.project_id IN (${placeholders(projects.length)}) ORDER BY monitor.id`,
    projects.map(({ id }) => id),
  );
}

/** Heartbeats expect a call in every interval, which is a cron monitor here. */
export async function* readHeartbeats(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
): AsyncGenerator<TransferRecord> {
  for (const row of await listMonitors(database, schema, projects)) {
    if (row.monitor_type !== HEARTBEAT) continue;
    const id = String(row.id);
    const name = textOf(row.name) ?? `Heartbeat ${id}`;
    yield {
      kind: 'monitor',
      id,
      project: String(row.project_id),
      slug: suggestSlug(name) || `heartbeat-${id}`,
      name,
      schedule: {
        type: 'interval',
        value: Math.max(1, Math.ceil(numberOf(row.interval) / 60)),
        unit: 'minute',
      },
      timeZone: 'UTC',
      checkinMargin: null,
      maxRuntime: null,
      failureIssueThreshold: null,
      recoveryThreshold: null,
      owner: null,
      isDisabled: false,
      isMuted: false,
    };
  }
}

/** Those that ask over HTTP. */
export async function* readUptimeMonitors(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
): AsyncGenerator<TransferRecord> {
  for (const row of await listMonitors(database, schema, projects)) {
    const type = String(row.monitor_type);
    if (type === HEARTBEAT) continue;
    const id = String(row.id);
    const name = textOf(row.name) ?? `Monitor ${id}`;
    const method = METHODS[type];
    const url = textOf(row.url, 2_000);
    if (!method || url === null) {
      yield unmapped('uptime_monitor', id, name, `Checks of the type ${type} are not made here`);
      continue;
    }
    const status = numberOf(row.expected_status) || null;
    const text = textOf(row.expected_body, 2_000);
    yield {
      kind: 'uptime_monitor',
      id,
      project: String(row.project_id),
      name,
      url,
      intervalSeconds: Math.min(Math.max(1, numberOf(row.interval)), INTERVAL_SECONDS_MAX),
      environment: textOf(row.environment),
      owner: null,
      isEnabled: true,
      headerNames: [],
      definition: {
        // The text of a body is not in the answer to HEAD.
        method: method === 'HEAD' && text !== null ? 'GET' : method,
        timeoutSeconds: numberOf(row.timeout) || TIMEOUT_SECONDS_DEFAULT,
        ...(status === null ? {} : { statuses: [{ from: status, to: status }] }),
        ...(text === null ? {} : { assertions: [{ kind: 'text', text, isAbsent: false }] }),
      },
    };
  }
}
