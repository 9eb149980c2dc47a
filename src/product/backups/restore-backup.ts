import { createHash } from 'node:crypto';
import { conflict, invalid } from '#lib/errors.ts';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { DamagedError } from '#lib/sealed-stream/sealed-stream.ts';
import { DAY_MS } from '#lib/time.ts';
import type {
  AnalyticDestination,
  FileDestination,
  RelationalDestination,
  SpoolDestination,
} from '#storage/ports/backup-sources.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import type { BackupContent, BackupHead, FileSet } from './backup-format.ts';
import { unpackFiles } from './file-packs.ts';
import { readManifest } from './manifest-file.ts';
import { readPiece } from './pieces.ts';

/** Empty places. */
export type RestoreParts = {
  relational: RelationalDestination;
  analytic: AnalyticDestination;
  spool: SpoolDestination;
  files: Readonly<Record<FileSet, FileDestination>>;
  writeSecrets(secrets: NonNullable<BackupContent['secrets']>): Promise<void>;
  /** The backup was under way when it was cut: what has come back says that it was made. */
  noteMade(head: BackupHead): Promise<void>;
};

export type RestoreStep = 'postgres' | 'clickhouse' | 'files' | 'spool' | 'compare';

export type Restored = {
  head: BackupHead;
  tables: number;
  rows: number;
  partitions: number;
  events: number;
  files: number;
  waiting: number;
  /** What is not as it was; empty after a restore that went well. */
  differences: readonly string[];
  settings: Readonly<Record<string, string>>;
};

/** Ids are remembered for so long by digest. */
const REMEMBERED_MS = DAY_MS;
const DIFFERENCES_MAX = 50;

/**
 * Fills the places with a backup, which is to be verified before, and compares counts, keys and samples of what is stored then.
 * Throws ErrataError 'conflict' when one of the stores is not empty, 'invalid' when this version is too old.
 */
export async function restoreBackup(
  parts: RestoreParts,
  target: BackupTarget,
  id: string,
  keys: BackupKeys | null,
  onProgress: (step: RestoreStep, done: number, total: number) => void = () => {},
): Promise<Restored> {
  const { head, content } = await readManifest(target, id, keys);
  const { relational, analytic } = parts;
  const occupied = (await Promise.all([relational.describeContent(), analytic.describeContent()])).map(
    (found, index) => found && `${index === 0 ? 'PostgreSQL' : 'ClickHouse'} has ${found}`,
  );
  const reasons = occupied.filter((reason) => reason !== null);
  if (reasons.length > 0) {
    throw conflict(
      `A backup is restored into empty stores only: ${reasons.join(', and ')}. Name other databases`,
    );
  }
  if (content.secrets) await parts.writeSecrets(content.secrets);
  await preparing(head, async () => {
    await relational.prepare(content.postgres.migrations);
    await analytic.prepare(content.clickhouse.migrations);
  });
  const { tables, sequences } = content.postgres;
  for (const [index, table] of tables.entries()) {
    onProgress('postgres', index, tables.length);
    await relational.write(table, readPiece(target, table.content, keys));
  }
  await relational.finish(sequences);
  const { partitions } = content.clickhouse;
  for (const [index, partition] of partitions.entries()) {
    onProgress('clickhouse', index, partitions.length);
    const table = content.clickhouse.tables.find(({ name }) => name === partition.table);
    if (!table) throw new DamagedError(`The backup names no table ${partition.table}`);
    await analytic.write(table, readPiece(target, partition.content, keys));
  }
  let files = 0;
  for (const [index, pack] of content.files.entries()) {
    onProgress('files', index, content.files.length);
    files += await unpackFiles(target, pack, keys, parts.files[pack.set]);
  }
  onProgress('spool', 0, 1);
  const waiting = await restoreSpool(parts, target, keys, head, content.spool);
  const differences = await compare(parts, content, (done, total) => onProgress('compare', done, total));
  await parts.noteMade(head);
  return {
    head,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    partitions: partitions.length,
    events: head.events,
    files,
    waiting,
    differences,
    settings: content.settings,
  };
}

async function preparing(head: BackupHead, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!/is newer than this program|was changed after it was applied/.test(String(error))) throw error;
    throw invalid(
      `The backup was made by Errata ${head.errataVersion}, whose schema this version does not know: restore it with that version or a newer one`,
    );
  }
}

async function restoreSpool(
  { analytic, spool }: RestoreParts,
  target: BackupTarget,
  keys: BackupKeys | null,
  { momentMs }: BackupHead,
  content: BackupContent['spool'],
): Promise<number> {
  if (!content) return 0;
  const { spoolId, after, uncounted } = content;
  const records = content.content ? unframed(readPiece(target, content.content, keys)) : none();
  const count = await spool.write(spoolId, after, records);
  if (count !== content.records) {
    throw new DamagedError(`The backup has ${count} waiting records, not ${content.records}`);
  }
  // First those whose record comes again: an id keeps its first position.
  await spool.remember(uncounted);
  for await (const ids of analytic.listEventIds(momentMs - REMEMBERED_MS)) {
    await spool.remember(ids.map((id) => ({ ...id, position: after })));
  }
  return count;
}

async function* unframed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.length < 4 ? Infinity : 4 + held.readUInt32BE();
      if (held.length < end) break;
      yield held.subarray(4, end);
      held = held.subarray(end);
    }
  }
  if (held.length > 0) throw new DamagedError('The last of the waiting records is cut');
}

async function* none(): AsyncGenerator<Buffer> {}

async function compare(
  { relational, analytic }: RestoreParts,
  { postgres, clickhouse }: BackupContent,
  onProgress: (done: number, total: number) => void,
): Promise<readonly string[]> {
  const differences: string[] = [];
  const note = (text: string) => {
    if (differences.length < DIFFERENCES_MAX) differences.push(text);
  };
  const total = postgres.tables.length + clickhouse.partitions.length;
  for (const [index, table] of postgres.tables.entries()) {
    onProgress(index, total);
    const rows = await relational.count(table.name);
    if (rows !== table.rows) note(`The table ${table.name} has ${rows} rows, not ${table.rows}`);
    const hash = createHash('sha256');
    for await (const chunk of relational.read(table)) hash.update(chunk);
    if (hash.digest('hex') !== table.content.contentSha256)
      note(`The rows of the table ${table.name} are others`);
  }
  for (const [index, partition] of clickhouse.partitions.entries()) {
    onProgress(postgres.tables.length + index, total);
    const name = `The partition ${partition.partition} of the table ${partition.table}`;
    const found = await analytic.measure(partition, Object.keys(partition.sample));
    if (found.rows !== partition.rows) note(`${name} has ${found.rows} rows, not ${partition.rows}`);
    else if (found.keysHash !== partition.keysHash) note(`${name} has other rows`);
    else if (Object.entries(partition.sample).some(([key, hash]) => found.sample[key] !== hash)) {
      note(`${name} has rows with another content`);
    }
  }
  return differences;
}
