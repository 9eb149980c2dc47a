import type { TelemetryKind, TelemetryRows } from '#protocol/telemetry.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import type { EventScope } from '#storage/ports/events.ts';
import { createMigratedClickhouse, type Engine } from './engines.ts';
import type { MakeRow } from './every-kind.ts';
import { makeRow } from './sample-telemetry.ts';

export const ORGANIZATION = 7;

/** The table of every kind. */
export const TABLES: Readonly<Record<TelemetryKind, string>> = {
  transactions: 'transactions',
  spans: 'spans',
  logs: 'logs',
  metrics: 'metrics',
  sessions: 'sessions',
  checkIns: 'check_ins',
  feedback: 'feedback',
  attachments: 'attachments',
  replays: 'replays',
  replaySegments: 'replay_segments',
  profiles: 'profiles',
};

/** A store over a new database in which nothing is merged, so that copies of a row are there to be read. */
export async function openTelemetry(engine: Engine) {
  const database = createMigratedClickhouse(engine);
  for (const table of Object.values(TABLES)) {
    await database.command(`ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`);
  }
  const store = createTelemetryStore(database);
  let tokens = 0;
  let projectId = 0;

  return {
    database,
    store,
    insert(rows: Partial<TelemetryRows>): Promise<void> {
      tokens += 1;
      return store.insert(rows, `token ${tokens}`);
    },
    /** A project of its own, for each test. */
    start() {
      projectId += 1;
      const own = { organizationId: ORGANIZATION, projectId };
      const scope: EventScope = { organizationId: ORGANIZATION, projectIds: [projectId] };
      const make: MakeRow = (kind, overrides) =>
        makeRow(kind, { ...own, ...overrides } as Parameters<typeof makeRow<typeof kind>>[1]);
      return { projectId, scope, make };
    },
    /** Rows of a project as they lie in the table, copies and all. */
    async countRows(kind: TelemetryKind, ofProject: number): Promise<number> {
      const [row] = await database.query<{ rows: number }>(
        `SELECT count() AS rows FROM ${TABLES[kind]} WHERE project_id = {projectId:UInt64}`,
        { projectId: ofProject },
      );
      return row!.rows;
    },
  };
}

export const idOf = (kind: TelemetryKind, row: object): string =>
  (row as Record<string, string>)[ID_FIELDS[kind]]!;

const ID_FIELDS: Readonly<Record<TelemetryKind, string>> = {
  transactions: 'eventId',
  spans: 'spanId',
  logs: 'rowId',
  metrics: 'rowId',
  sessions: 'sessionId',
  checkIns: 'checkInId',
  feedback: 'feedbackId',
  attachments: 'attachmentId',
  replays: 'replayId',
  replaySegments: 'replayId',
  profiles: 'profileId',
};
