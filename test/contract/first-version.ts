import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
import { createEmptyPostgres, type Engine, openMissingClickhouse, testLog } from './engines.ts';
import { hashOf, MINUTE_MS, NOON_MS } from './sample-events.ts';

/**
 * Both databases as the first version left them (PostgreSQL 0001 and 0002, ClickHouse 0001), with what it wrote, in SQL
 * of its own: no store of the running version has a part in it. Times are its times; ids are told.
 */
export const FIRST_VERSION = {
  spoolId: 'a1b2c3d4e5f60718',
  position: 17,
  publicKey: '0123456789abcdef0123456789abcdef',
  tokenHash: createHash('sha256').update('a token').digest(),
  userId: 'user-1',
  /** Of the issue that is open, and of the one that is resolved. */
  hashes: { open: hashOf('open'), resolved: hashOf('resolved') },
  traceId: hashOf('trace'),
  events: [1, 2, 3].map((number) => ({
    eventId: hashOf(`event ${number}`),
    groupingHash: hashOf(number === 3 ? 'resolved' : 'open'),
    occurredAt: NOON_MS - number * MINUTE_MS,
  })),
  quarantinedPayload: '{"message":"set aside"}',
} as const;

export async function openFirstVersion(engines: { postgres: Engine; clickhouse: Engine }) {
  const { ids, relational, drop } = await openFirstPostgres(engines.postgres);
  const analytic = openMissingClickhouse(engines.clickhouse);
  await migrateTo('clickhouse', 1, (folder) => migrateClickhouse(analytic, testLog, { folder }));
  await fillClickhouse(analytic, ids);
  return {
    ids,
    relational,
    analytic,
    /** Runs everything that the running version has, as its start does. */
    async upgrade() {
      await migratePostgres(relational, testLog);
      await migrateClickhouse(analytic, testLog);
      return openClickhouse(analytic.url);
    },
    async drop() {
      await Promise.all([drop(), analytic.drop()]);
    },
  };
}

/** PostgreSQL alone. */
export async function openFirstPostgres(engine: Engine) {
  const empty = await createEmptyPostgres(engine);
  const relational = openPostgres(empty.url);
  const upgradeTo = (last: number) =>
    migrateTo('postgres', last, (folder) => migratePostgres(relational, testLog, { folder }));
  await upgradeTo(2);
  const ids = await fillPostgres(relational.pool);
  return {
    ids,
    relational,
    /** Runs the migrations up to a number. */
    upgradeTo,
    async drop() {
      await relational.close();
      await empty.drop();
    },
  };
}

/**
 * What the version of 0013 wrote when the resolved issue became part of the open one, with the news of both; answers the
 * id of the change.
 */
export async function mergeBeforeAlerts(
  pool: pg.Pool,
  { organizationId, projectId, openId, resolvedId }: Ids,
): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO grouping_changes (organization_id, project_id, kind, state, created_at, applied_at, finished_at)
     VALUES ($1, $2, 'merge', 'done', $3, $3, $3) RETURNING id`,
    [organizationId, projectId, new Date(NOON_MS)],
  );
  const changeId = Number(rows[0]!.id);
  const merged = [changeId, resolvedId, openId];
  await pool.query(
    `INSERT INTO grouping_change_issues (change_id, issue_id, role, other_issue_id)
     VALUES ($1, $2, 'dissolved', $3), ($1, $3, 'kept', NULL)`,
    merged,
  );
  for (const [table, column] of [
    ['issues', 'id'],
    ['activities', 'issue_id'],
    ['issue_links', 'issue_id'],
    ['issue_releases', 'issue_id'],
    ['issue_texts', 'issue_id'],
    ['outbox', 'issue_id'],
  ]) {
    await pool.query(
      `INSERT INTO grouping_change_rows (change_id, table_name, issue_id, content)
       SELECT $1, '${table}', ${column}, to_jsonb(${table}) FROM ${table} WHERE ${column} IN ($2, $3)`,
      merged,
    );
  }
  await pool.query(
    `INSERT INTO grouping_change_hashes (change_id, hash, before_issue_id, after_issue_id)
     SELECT $1, hash, $2, $3 FROM grouping_hashes WHERE issue_id = $2`,
    merged,
  );
  const [, ...both] = merged;
  await pool.query('UPDATE grouping_hashes SET issue_id = $2 WHERE issue_id = $1', both);
  await pool.query('UPDATE outbox SET issue_id = $2 WHERE issue_id = $1', both);
  await pool.query('UPDATE issue_links SET issue_id = $2 WHERE issue_id = $1', both);
  await pool.query(
    `INSERT INTO issue_redirects (old_issue_id, organization_id, short_id, issue_id)
     SELECT id, organization_id, short_id, $2 FROM issues WHERE id = $1`,
    both,
  );
  await pool.query('DELETE FROM issues WHERE id = $1', [resolvedId]);
  return changeId;
}

/** Gives the migrations up to a number, in a folder of their own. */
async function migrateTo(
  store: 'postgres' | 'clickhouse',
  last: number,
  migrate: (folder: string) => Promise<void>,
): Promise<void> {
  const source = join(import.meta.dirname, '../../src/storage', store, 'migrations');
  const folder = mkdtempSync(join(tmpdir(), 'errata-first-version-'));
  try {
    for (const name of readdirSync(source)) {
      if (Number(name.slice(0, 4)) <= last) cpSync(join(source, name), join(folder, name));
    }
    await migrate(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Ids = { organizationId: number; projectId: number; keyId: number; openId: number; resolvedId: number };

async function fillPostgres(pool: pg.Pool): Promise<Ids> {
  const insert = async (sql: string, values: readonly unknown[] = []): Promise<number> => {
    const { rows } = await pool.query<{ id: string }>(`${sql} RETURNING id`, [...values]);
    return Number(rows[0]!.id);
  };
  const noon = new Date(NOON_MS);
  const organizationId = await insert("INSERT INTO organizations (slug, name) VALUES ('main', 'Main')");
  const projectId = await insert(
    `INSERT INTO projects (organization_id, slug, name, platform, issue_counter, first_event_at)
     VALUES ($1, 'web', 'Web shop', 'javascript-nextjs', 2, $2)`,
    [organizationId, noon],
  );
  const keyId = await insert(
    "INSERT INTO client_keys (project_id, public_key, label) VALUES ($1, $2, 'Default')",
    [projectId, FIRST_VERSION.publicKey],
  );
  await pool.query(
    `INSERT INTO users (id, name, email, email_verified, is_instance_owner)
     VALUES ($1, 'Ada', 'Ada@example.com', true, true)`,
    [FIRST_VERSION.userId],
  );
  await pool.query("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [
    organizationId,
    FIRST_VERSION.userId,
  ]);
  await insert(
    `INSERT INTO api_tokens (organization_id, user_id, name, scopes, token_hash)
     VALUES ($1, $2, 'CI', ARRAY['event:read'], $3)`,
    [organizationId, FIRST_VERSION.userId, FIRST_VERSION.tokenHash],
  );
  const insertIssue = (shortId: string, title: string, state: string, timesSeen: number) =>
    insert(
      `INSERT INTO issues (organization_id, project_id, short_id, title, culprit, level, platform, type, metadata,
         logger, status, substatus, resolved_at, priority, first_seen, last_seen, times_seen, assignee_user_id,
         first_release, last_release)
       VALUES ($1, $2, $3, $4, 'applyCoupon(checkout/cart)', 'error', 'javascript', 'error',
         '{"type":"TypeError","value":"x is undefined"}', NULL, ${state}, 'high', $5, $6, $7, $8, 'web@1', 'web@1')`,
      [
        organizationId,
        projectId,
        shortId,
        title,
        new Date(NOON_MS - 2 * MINUTE_MS),
        new Date(NOON_MS - MINUTE_MS),
        timesSeen,
        FIRST_VERSION.userId,
      ],
    );
  const openId = await insertIssue('WEB-1', 'TypeError: open', "'unresolved', 'new', NULL", 2);
  const resolvedId = await insertIssue(
    'WEB-2',
    'TypeError: resolved',
    `'resolved', NULL, to_timestamp(${NOON_MS / 1_000})`,
    1,
  );
  const releaseId = await insert(
    "INSERT INTO releases (organization_id, version, first_seen) VALUES ($1, 'web@1', $2)",
    [organizationId, noon],
  );
  await pool.query('INSERT INTO release_projects VALUES ($1, $2, $3)', [releaseId, projectId, noon]);
  await pool.query("INSERT INTO environments VALUES ($1, $2, 'production', $3)", [
    organizationId,
    projectId,
    noon,
  ]);
  for (const [issueId, hash, title] of [
    [openId, FIRST_VERSION.hashes.open, 'open'],
    [resolvedId, FIRST_VERSION.hashes.resolved, 'resolved'],
  ] as const) {
    await pool.query('INSERT INTO grouping_hashes (project_id, hash, issue_id) VALUES ($1, $2, $3)', [
      projectId,
      hash,
      issueId,
    ]);
    await pool.query('INSERT INTO issue_texts (issue_id, content) VALUES ($1, $2)', [
      issueId,
      `TypeError: ${title}`,
    ]);
    await pool.query('INSERT INTO issue_releases (issue_id, release_id) VALUES ($1, $2)', [
      issueId,
      releaseId,
    ]);
    await insert("INSERT INTO activities (issue_id, type, at) VALUES ($1, 'first_seen', $2)", [
      issueId,
      noon,
    ]);
    await insert(
      `INSERT INTO outbox (organization_id, project_id, issue_id, kind, event_id, created_at)
       VALUES ($1, $2, $3, 'first_seen', $4, $5)`,
      [organizationId, projectId, issueId, FIRST_VERSION.events[0]!.eventId, noon],
    );
  }
  for (const [outcome, reason, quantity] of [
    ['accepted', '', 3],
    ['invalid', 'duplicate', 2],
  ] as const) {
    await pool.query(
      `INSERT INTO outcomes_hourly (organization_id, project_id, key_id, hour, category, outcome, reason, quantity)
       VALUES ($1, $2, $3, $4, 'error', $5, $6, $7)`,
      [organizationId, projectId, keyId, new Date(NOON_MS), outcome, reason, quantity],
    );
  }
  await pool.query('INSERT INTO spool_positions (spool_id, position) VALUES ($1, $2)', [
    FIRST_VERSION.spoolId,
    FIRST_VERSION.position,
  ]);
  await insert(
    `INSERT INTO quarantine (organization_id, project_id, key_id, event_id, category, reason, detail, attempts,
       received_at, quarantined_at, spool_id, position, item, record)
     VALUES ($1, $2, $3, $4, 'event', 'digest_failed', 'boom', 3, $5, $5, $6, 9, 0, $7)`,
    [
      organizationId,
      projectId,
      keyId,
      FIRST_VERSION.events[0]!.eventId,
      noon,
      FIRST_VERSION.spoolId,
      spooledRecord({ organizationId, projectId, keyId }),
    ],
  );
  await pool.query("INSERT INTO instance_settings (key, value) VALUES ('secret', '\"kept\"')");
  return { organizationId, projectId, keyId, openId, resolvedId };
}

/** A record of its spool, byte by byte. */
function spooledRecord(ids: Pick<Ids, 'organizationId' | 'projectId' | 'keyId'>): Buffer {
  const payload = Buffer.from(FIRST_VERSION.quarantinedPayload);
  const meta = Buffer.from(
    JSON.stringify({
      v: 1,
      o: ids.organizationId,
      p: ids.projectId,
      k: ids.keyId,
      at: NOON_MS,
      sent: null,
      eid: FIRST_VERSION.events[0]!.eventId,
      ip: '10.0.0.1',
      ua: 'curl/8',
      replay: false,
      items: [['event', payload.length]],
      outcomes: [],
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  return Buffer.concat([length, meta, payload]);
}

async function fillClickhouse(database: ClickhouseDatabase, ids: Ids): Promise<void> {
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const rows = FIRST_VERSION.events.map(({ eventId, groupingHash, occurredAt }) => {
    const payload = JSON.stringify({
      event_id: eventId,
      type: 'error',
      level: 'error',
      platform: 'javascript',
      timestamp: occurredAt / 1_000,
      received: NOON_MS / 1_000,
      exception: { values: [{ type: 'TypeError', value: "it's \\ undefined" }] },
    });
    return `(${ids.organizationId}, ${ids.projectId}, ${ids.keyId}, ${text(eventId)}, ${text(groupingHash)}, 'error',
      'error', 'javascript', fromUnixTimestamp64Milli(${occurredAt}), fromUnixTimestamp64Milli(${NOON_MS}),
      'TypeError: x is undefined', 'applyCoupon(checkout/cart)', 'x is undefined',
      '{"type":"TypeError","value":"x is undefined"}', '', 'web@1', '', 'production', '/checkout',
      ${text(FIRST_VERSION.traceId)}, '42', '', 'ada', '10.0.0.1', 'sentry.javascript.nextjs', '11.1.0',
      {'level': 'error', 'browser': 'Firefox 140'}, ${text(payload)})`;
  });
  await database.command(
    `INSERT INTO events (organization_id, project_id, key_id, event_id, grouping_hash, type, level, platform,
       occurred_at, received_at, title, culprit, message, metadata, logger, release, dist, environment, transaction,
       trace_id, user_id, user_email, user_username, user_ip, sdk_name, sdk_version, tags, payload)
     VALUES ${rows.join(', ')}`,
  );
}
