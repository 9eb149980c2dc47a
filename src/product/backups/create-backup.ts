import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import type {
  AnalyticCut,
  AnalyticSource,
  BackupLock,
  DigestPause,
  FileSource,
  RelationalCut,
  RelationalSource,
  SpoolSource,
} from '#storage/ports/backup-sources.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import {
  type BackupContent,
  type BackupHead,
  type BackupPartition,
  type FileSet,
  makeBackupId,
  objectName,
  piecesOf,
} from './backup-format.ts';
import { packFiles } from './file-packs.ts';
import { listBackups, removeUnreferenced } from './list-backups.ts';
import { readManifest, writeManifest } from './manifest-file.ts';
import { createPieceWriter, type PieceWriter } from './pieces.ts';

/** What a backup is made of. */
export type BackupParts = {
  lock: BackupLock;
  pause: DigestPause;
  relational: RelationalSource;
  analytic: AnalyticSource;
  /** null where no events are taken in. */
  spool: SpoolSource | null;
  files: Readonly<Record<FileSet, FileSource>>;
  /** null to leave them out: what they encrypt stays closed after a restore. */
  secrets: { secret: string; metricsToken: string | null } | null;
  settings: Readonly<Record<string, string>>;
  errataVersion: string;
};

export const BACKUP_STEPS = ['pause', 'postgres', 'clickhouse', 'blobs', 'artifacts', 'finish'] as const;
export type BackupStep = (typeof BACKUP_STEPS)[number];

export type BackupProgress = {
  step: BackupStep;
  /** Tables, partitions or files of the step that are done, and of how many, if that is known. */
  done: number;
  total: number | null;
  /** Written by now. */
  bytes: number;
};

export type CreateOptions = {
  keys: BackupKeys | null;
  now: () => number;
  onProgress: (progress: BackupProgress) => void;
  /** The backup is given up, and leaves nothing behind. */
  signal?: AbortSignal;
};

export type CreatedBackup = {
  head: BackupHead;
  /** How long digest waited. */
  pausedMs: number;
};

/**
 * Makes a backup of a running instance: digest ends its batch and waits while the relational store's snapshot is taken, what
 * waits in the spool is copied, and the parts of the analytic store are held; then it goes on, and everything else is
 * copied as it was then. What an earlier backup in the same place has is not copied again.
 */
export async function createBackup(
  parts: BackupParts,
  target: BackupTarget,
  options: CreateOptions,
): Promise<CreatedBackup> {
  return await parts.lock.during(async () => {
    const lock = await target.lock();
    try {
      await removeUnreferenced(target);
      return await create(parts, target, options);
    } finally {
      await lock.release();
    }
  });
}

async function create(
  parts: BackupParts,
  target: BackupTarget,
  { keys, now, onProgress, signal }: CreateOptions,
): Promise<CreatedBackup> {
  const progress: BackupProgress = { step: 'pause', done: 0, total: null, bytes: 0 };
  const tell = (change: Partial<BackupProgress> = {}) => onProgress(Object.assign(progress, change));
  const writer = createPieceWriter(target, keys, (bytes) => {
    signal?.throwIfAborted();
    tell({ bytes: progress.bytes + bytes });
  });
  const former = await findFormer(target, keys);
  tell();
  let cut: Cut | null = null;
  try {
    cut = await cutAll(parts, writer, former, now);
    const { relational, analytic } = cut;
    tell({ step: 'postgres', done: 0, total: relational.tables.length });
    const tables = await copyTables(relational, writer, former, () => tell({ done: progress.done + 1 }));
    const sequences = [...(await relational.readSequences())];
    // Its snapshot keeps the store from clearing up.
    await relational.end();
    const changed = analytic.partitions.filter((partition) => !findPartition(former, partition));
    tell({ step: 'clickhouse', done: 0, total: changed.length });
    const partitions: BackupPartition[] = [];
    for (const partition of analytic.partitions) {
      const known = findPartition(former, partition);
      if (!known) tell();
      partitions.push(known ?? (await copyPartition(analytic, writer, partition)));
      if (!known) tell({ done: progress.done + 1 });
    }
    await analytic.end();
    const files = [];
    for (const set of ['blobs', 'artifacts'] as const) {
      tell({ step: set, done: 0, total: null });
      const onFiles = (count: number) => tell({ done: progress.done + count });
      files.push(
        ...(await packFiles({ target, keys, writer, onFiles }, set, parts.files[set], former?.files ?? [])),
      );
    }
    tell({ step: 'finish', done: 0, total: null });
    const content: BackupContent = {
      postgres: {
        migrations: [...relational.migrations],
        tables,
        sequences,
      },
      clickhouse: { migrations: [...analytic.migrations], tables: copyOf(analytic.tables), partitions },
      files,
      spool: cut.spool,
      secrets: parts.secrets,
      settings: { ...parts.settings },
    };
    const head: BackupHead = {
      format: 1,
      id: makeBackupId(cut.momentMs),
      momentMs: cut.momentMs,
      finishedMs: now(),
      errataVersion: parts.errataVersion,
      isEncrypted: keys !== null,
      hasSecrets: parts.secrets !== null,
      events: partitions.filter(({ table }) => table === 'events').reduce((sum, { rows }) => sum + rows, 0),
      objects: piecesOf(content).map(({ object, bytes }) => [object, bytes]),
      newBytes: writer.newBytes(),
    };
    await writeManifest(target, head, content, keys);
    return { head, pausedMs: cut.pausedMs };
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  } finally {
    await Promise.allSettled([cut?.relational.end(), cut?.analytic.end()]);
  }
}

type Cut = {
  momentMs: number;
  pausedMs: number;
  relational: RelationalCut;
  analytic: AnalyticCut;
  spool: BackupContent['spool'];
};

/** In this order: what is counted is stored, and what is not counted waits. */
async function cutAll(
  { pause, relational, analytic, spool }: BackupParts,
  writer: PieceWriter,
  former: BackupContent | null,
  now: () => number,
): Promise<Cut> {
  const begun = await analytic.begin();
  try {
    return await cutBetweenBatches();
  } catch (error) {
    await begun.end();
    throw error;
  }

  function cutBetweenBatches(): Promise<Cut> {
    return pause.during(async () => {
      const begunAt = performance.now();
      const momentMs = Math.floor(now());
      const relationalCut = await relational.cut();
      try {
        const waiting = spool && (await copySpool(spool, relationalCut, writer));
        const analyticCut = await begun.hold((partition) => findPartition(former, partition) !== null);
        const pausedMs = Math.round(performance.now() - begunAt);
        return { momentMs, pausedMs, relational: relationalCut, analytic: analyticCut, spool: waiting };
      } catch (error) {
        await relationalCut.end();
        throw error;
      }
    });
  }
}

async function copySpool(
  spool: SpoolSource,
  relational: RelationalCut,
  writer: PieceWriter,
): Promise<NonNullable<BackupContent['spool']>> {
  const { spoolId } = spool;
  const after = await relational.findSpoolPosition(spoolId);
  let records = 0;
  async function* framed(): AsyncGenerator<Uint8Array> {
    for await (const { bytes } of spool.read(after)) {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      yield length;
      yield bytes;
      records += 1;
    }
  }
  const content = await writer.write(framed(), {});
  return { spoolId, after, records, content, uncounted: [...(await spool.listUncounted(after))] };
}

async function copyTables(
  relational: RelationalCut,
  writer: PieceWriter,
  former: BackupContent | null,
  onTable: () => void,
): Promise<BackupContent['postgres']['tables']> {
  const known = new Map(former?.postgres.tables.map(({ name, content }) => [name, content]));
  const tables: BackupContent['postgres']['tables'] = [];
  for (const table of relational.tables) {
    let rows = 0;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of relational.read(table)) {
        rows += countLines(chunk);
        yield chunk;
      }
    }
    const content = await writer.write(counted(), { former: known.get(table.name) ?? null });
    tables.push({ ...table, columns: [...table.columns], rows, content });
    onTable();
  }
  return tables;
}

/** Each row is a line: what else could end one is escaped. */
function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

async function copyPartition(
  analytic: AnalyticCut,
  writer: PieceWriter,
  partition: AnalyticCut['partitions'][number],
): Promise<BackupPartition> {
  const content = await writer.write(analytic.read(partition), { isCompressed: false });
  const { rows, keysHash, sample } = await analytic.measure(partition);
  return { ...partition, rows, keysHash, sample: { ...sample }, content };
}

/** The newest backup there that can be read with this key and lacks nothing; null: everything is to be copied. */
async function findFormer(target: BackupTarget, keys: BackupKeys | null): Promise<BackupContent | null> {
  const stored = new Map((await target.list()).map(({ name, bytes }) => [name, bytes]));
  for (const listed of (await listBackups(target)).toReversed()) {
    if (listed.kind === 'damaged' || listed.head.isEncrypted !== (keys !== null)) continue;
    const found = await readManifest(target, listed.id, keys).catch(() => null);
    if (found?.head.objects.every(([object, bytes]) => stored.get(objectName(object)) === bytes)) {
      return found.content;
    }
  }
  return null;
}

const findPartition = (
  former: BackupContent | null,
  { table, partition, fingerprint }: AnalyticCut['partitions'][number],
): BackupPartition | null =>
  former?.clickhouse.partitions.find(
    (known) => known.table === table && known.partition === partition && known.fingerprint === fingerprint,
  ) ?? null;

const copyOf = (tables: AnalyticCut['tables']): { name: string; columns: string[] }[] =>
  tables.map(({ name, columns }) => ({ name, columns: [...columns] }));
