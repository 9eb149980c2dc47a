import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { AttemptFile } from '#ingest/attempt-file.ts';
import { BodySampler } from '#ingest/body-sampler.ts';
import { type DigestProgress, runDigestLoop } from '#ingest/digest-loop.ts';
import { encodeRecord } from '#ingest/spool-record.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createLog } from '#lib/log.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import type { Context } from '#product/context.ts';
import { exportOrganization } from '#product/transfer/export/export-organization.ts';
import { type ImportOptions, importOrganization } from '#product/transfer/import/import-organization.ts';
import { TRANSFER_KINDS, type TransferRecord } from '#product/transfer/records.ts';
import type { TransferSource } from '#product/transfer/transfer-source.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { createBatchGate } from '#storage/postgres/backup/digest-pause.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { createImportSink } from '../../src/main/import-sink.ts';
import { openInbox } from '../../src/main/open-inbox.ts';
import { spoolFolder } from '../../src/main/spool-paths.ts';
import { type Product, PUBLIC_URL } from './open-product.ts';

const log = createLog('transfer', 'silent');

/** An installation whose edge and digest run on spool files; without the pages. */
export async function openInstallation(product: Product) {
  const dataDir = mkdtempSync(join(tmpdir(), 'errata-transfer-'));
  const folder = spoolFolder(dataDir);
  const writer = openSpoolWriter(folder, 1e9);
  const spool = openSpoolReader(folder);
  const recentIds = openRecentIds(folder);
  const postgres = openPostgres(product.databaseUrl, { poolMax: 4 });
  const rules = compileIngestRules(DEFAULT_INGEST_SETTINGS);
  const progress: DigestProgress = {
    position: 0,
    depth: 0,
    events: 0,
    batches: 0,
    quarantined: 0,
    lost: 0,
    stalled: null,
  };
  const stopping = new AbortController();
  const gate = createBatchGate(postgres);
  const loop = runDigestLoop(
    {
      events: product.stores.events,
      telemetry: product.stores.telemetry,
      blobs: product.stores.blobs,
      rules: { find: () => rules },
      bodies: new BodySampler(),
      lookUpGeo: () => null,
      readAhead: async () => ({ crash: null, head: null, videoParts: null }),
      // Every rule of every project would like to hear of every event.
      digest: createDigestStore(
        postgres.db,
        () => null,
        () => [{ ruleId: 1, ruleVersion: 1, kind: 'event', verdict: 'fits', frequencyMs: 1 }],
      ),
      recentIds,
      spool,
      faults: parseFaultPoints(null),
      now: Date.now,
      attempts: new AttemptFile(join(folder, 'attempt.json')),
      gate,
      log,
    },
    progress,
    stopping.signal,
  );
  const kafkaAuth = { username: null, password: null, authority: null };
  const sinkOf = () =>
    createImportSink(
      { dataDir, spool: null },
      openInbox({ dataDir, spool: null, kafkaAuth }, product.stores.blobs),
    );

  /** What an SDK sends. */
  async function send(
    origin: { organizationId: number; projectId: number; keyId: number },
    payload: object,
    receivedAtMs: number,
    attachment?: string,
  ): Promise<string> {
    const eventId = randomBytes(16).toString('hex');
    await writer.append(
      encodeRecord({
        ...origin,
        receivedAtMs,
        sentAtMs: null,
        eventId,
        clientIp: null,
        userAgent: null,
        isReplay: false,
        items: [
          { type: 'event', payload: Buffer.from(JSON.stringify({ ...payload, event_id: eventId })) },
          ...(attachment === undefined
            ? []
            : [
                {
                  type: 'attachment',
                  payload: Buffer.from(attachment),
                  facts: {
                    filename: 'log.txt',
                    contentType: 'text/plain',
                    attachmentType: 'event.attachment',
                  },
                },
              ]),
        ],
        outcomes: [],
      }),
    );
    return eventId;
  }

  async function untilDigested(): Promise<void> {
    const sink = sinkOf();
    while (!(await sink.isDrained())) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  const run = (source: TransferSource, change: Partial<ImportOptions> = {}) =>
    importOrganization(
      {
        stores: product.stores,
        actor: { kind: 'system' },
        now: Date.now,
        publicUrl: PUBLIC_URL,
        sink: sinkOf(),
        mailer: null,
      },
      source,
      {
        isDryRun: false,
        organization: null,
        kinds: null,
        projects: null,
        fromMs: 0,
        toMs: Number.MAX_SAFE_INTEGER,
        rate: null,
        progress: () => {},
        signal: new AbortController().signal,
        ...change,
      },
    );

  return {
    product,
    dataDir,
    send,
    untilDigested,
    run,
    async close() {
      stopping.abort();
      await loop;
      await gate.close();
      await Promise.all([spool.close(), writer.close(), recentIds.close()]);
      await postgres.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

export const everything = (signal = new AbortController().signal) => ({
  fromMs: 0,
  toMs: Number.MAX_SAFE_INTEGER,
  kinds: new Set(TRANSFER_KINDS),
  progress: () => {},
  signal,
});

export async function listRecords(ctx: Context): Promise<TransferRecord[]> {
  const records: TransferRecord[] = [];
  for await (const record of exportOrganization(ctx, everything())) records.push(record);
  return records;
}

/** Records as a source that gives them in their order; `before` is called with the number of each. */
export const sourceOf = (
  records: readonly TransferRecord[],
  before: (index: number) => void = () => {},
): TransferSource => ({
  name: 'records of a test',
  key: 'test',
  async *read() {
    for (const [index, record] of records.entries()) {
      before(index);
      yield record;
      if (index % 5 === 4) yield { kind: 'checkpoint', cursor: String(index) };
    }
  },
  openFile: async () => {
    throw new Error('This source has no files');
  },
  async close() {},
});

/**
 * What records say, without the numbers that every installation gives on its own: projects, teams and issues by their
 * names. Lists in an order of their own.
 */
export function withoutNumbers(records: readonly TransferRecord[]): unknown[] {
  const names = new Map<string, string>();
  for (const record of records) {
    if (record.kind === 'project' || record.kind === 'team')
      names.set(`${record.kind} ${record.id}`, record.slug);
    if (record.kind === 'issue') names.set(`issue ${record.id}`, record.shortId ?? '');
  }
  const named = (kind: string, id: string | null) => (id === null ? null : names.get(`${kind} ${id}`));
  return records
    .map((record) => {
      const { id: _id, ...rest } = record as TransferRecord & { id?: string };
      const plain: Record<string, unknown> = { ...rest };
      if (record.kind === 'event') plain.id = record.id;
      if ('project' in record) plain.project = named('project', record.project);
      if (record.kind === 'event') {
        plain.issue = named('issue', record.issue);
        plain.attachments = record.attachments.map(({ name, contentType, type, file }) => [
          name,
          contentType,
          type,
          file.bytes,
        ]);
      }
      if (record.kind === 'row') {
        const {
          organizationId: _organization,
          projectId: _project,
          keyId: _key,
          blobKey,
          ...row
        } = record.row;
        plain.row = { ...row, ...(typeof blobKey === 'string' && { blobKey: blobKey.split('/').at(-1) }) };
        plain.file = record.file && { bytes: record.file.bytes };
      }
      if (record.kind === 'project') {
        plain.number = null;
        plain.createdAt = null;
        plain.teams = record.teams.map((team) => named('team', team));
        plain.keys = record.keys.filter(({ label }) => label !== 'Default');
      }
      if (record.kind === 'release') plain.projects = record.projects.map((id) => named('project', id));
      if (record.kind === 'issue') {
        plain.activities = record.activities
          .map(({ id: _own, data, ...activity }) => ({
            ...activity,
            data: { ...data, ...(typeof data.team === 'string' && { team: named('team', data.team) }) },
          }))
          .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
        if (record.assignee?.kind === 'team') {
          plain.assignee = { kind: 'team', team: named('team', record.assignee.team) };
        }
      }
      return plain;
    })
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Somebody who is a member of the organization under the address. */
export async function addMember(
  product: Product,
  organizationId: number,
  { email, name, role }: { email: string; name: string; role: string },
): Promise<string> {
  const id = randomBytes(8).toString('hex');
  await sql`INSERT INTO users (id, name, email) VALUES (${id}, ${name}, ${email})`.execute(product.db);
  await sql`
    INSERT INTO memberships (organization_id, user_id, role) VALUES (${organizationId}, ${id}, ${role})`.execute(
    product.db,
  );
  return id;
}

/** What of the installation tells that nothing happened: every row of every table that an import could write. */
export async function countRows(product: Product): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of WRITTEN) {
    const { rows } = await sql<{
      count: number;
    }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(product.db);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

const WRITTEN = [
  'organizations',
  'projects',
  'client_keys',
  'teams',
  'team_members',
  'invitations',
  'issues',
  'activities',
  'grouping_hashes',
  'releases',
  'deploys',
  'alert_rules',
  'saved_searches',
  'monitors',
  'uptime_monitors',
  'dashboards',
  'outbox',
  'deliveries',
  'audit_entries',
  'issue_subscriptions',
  'issue_links',
  'environments',
] as const;
