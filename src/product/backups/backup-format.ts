import { randomBytes } from 'node:crypto';
import { z } from 'zod';

/** Raised when a backup cannot be read by an older version any more. */
export const FORMAT_VERSION = 1;

/** Content in a file of its own, which may belong to several backups. */
const PIECE = z.object({
  /** SHA-256 of the file, which is its name. */
  object: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the file. */
  bytes: z.int().nonnegative(),
  /** Before it was compressed and encrypted. */
  contentBytes: z.int().nonnegative(),
  contentSha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Piece = z.infer<typeof PIECE>;

const MIGRATIONS = z.array(z.object({ version: z.int(), name: z.string(), checksum: z.string() }));
const TABLE = z.object({ name: z.string(), columns: z.array(z.string()) });

const FILE_SETS = ['blobs', 'artifacts'] as const;
export type FileSet = (typeof FILE_SETS)[number];

/** Files that follow each other in one piece; another lists their paths, lengths, times and hashes. */
const FILE_PACK = z.object({
  set: z.enum(FILE_SETS),
  /** The folder that they are in. */
  group: z.string(),
  files: z.int().nonnegative(),
  content: PIECE,
  index: PIECE,
  /** Which of them, counted from 0, were gone when the backup was made: the pack is of an earlier one. */
  gone: z.array(z.int().nonnegative()),
});
export type FilePack = z.infer<typeof FILE_PACK>;

const PARTITION = z.object({
  table: z.string(),
  partition: z.string().regex(/^[0-9A-Za-z-]+$/),
  fingerprint: z.string(),
  rows: z.int().nonnegative(),
  keysHash: z.string(),
  sample: z.record(z.string(), z.string()),
  content: PIECE,
});
export type BackupPartition = z.infer<typeof PARTITION>;

/** Everything of a backup but the contents. */
export const BACKUP_CONTENT = z.object({
  postgres: z.object({
    migrations: MIGRATIONS,
    tables: z.array(TABLE.extend({ rows: z.int().nonnegative(), content: PIECE })),
    sequences: z.array(z.object({ name: z.string(), value: z.number(), isCalled: z.boolean() })),
  }),
  clickhouse: z.object({ migrations: MIGRATIONS, tables: z.array(TABLE), partitions: z.array(PARTITION) }),
  files: z.array(FILE_PACK),
  /** null when the machine has none: another one takes events in. */
  spool: z
    .object({
      spoolId: z.string(),
      /** Everything up to this position is counted. */
      after: z.int().nonnegative(),
      records: z.int().nonnegative(),
      /** Each record with its length in front; null when none waits. */
      content: PIECE.nullable(),
      uncounted: z.array(z.object({ projectId: z.int(), eventId: z.string(), position: z.int() })),
    })
    .nullable(),
  /** null when they were left out. */
  secrets: z.object({ secret: z.string(), metricsToken: z.string().nullable() }).nullable(),
  /** Settings of the environment that are no secrets. */
  settings: z.record(z.string(), z.string()),
});
export type BackupContent = z.infer<typeof BACKUP_CONTENT>;

/** What can be read of a backup without its key. */
export const BACKUP_HEAD = z.object({
  format: z.literal(FORMAT_VERSION),
  id: z.string().regex(/^\d{8}t\d{9}z-[0-9a-f]{6}$/),
  /** Everything that was accepted before is in it. Milliseconds since the epoch. */
  momentMs: z.int().nonnegative(),
  finishedMs: z.int().nonnegative(),
  errataVersion: z.string(),
  isEncrypted: z.boolean(),
  hasSecrets: z.boolean(),
  events: z.int().nonnegative(),
  /** Name and length of every file that it needs. */
  objects: z.array(z.tuple([z.string().regex(/^[0-9a-f]{64}$/), z.int().nonnegative()])),
  /** Of the files that this backup wrote: the others were there. */
  newBytes: z.int().nonnegative(),
});
export type BackupHead = z.infer<typeof BACKUP_HEAD>;

/** `20260131t040500000z-1f2e3d`: sorted by name they are sorted by time. */
export function makeBackupId(momentMs: number): string {
  const time = new Date(momentMs).toISOString().replace(/[-:.Z]/g, '');
  return `${time}z-${randomBytes(3).toString('hex')}`.toLowerCase();
}

/** Milliseconds since the epoch. */
export function momentOfId(id: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)(\d{3})z/.exec(id)?.slice(1).map(Number) ?? [];
  const [year = 0, month = 1, ...rest] = parts;
  return Date.UTC(year, month - 1, ...rest);
}

export const objectName = (object: string): string => `objects/${object.slice(0, 2)}/${object}`;
export const backupName = (id: string): string => `backups/${id}`;
export const OBJECT_NAME = /^objects\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;
export const BACKUP_NAME = /^backups\/(\d{8}t\d{9}z-[0-9a-f]{6})$/;

/** Every piece that the content names, each once. */
export function piecesOf({ postgres, clickhouse, files, spool }: BackupContent): readonly Piece[] {
  const all = [
    ...postgres.tables.map(({ content }) => content),
    ...clickhouse.partitions.map(({ content }) => content),
    ...files.flatMap(({ content, index }) => [content, index]),
    ...(spool?.content ? [spool.content] : []),
  ];
  return [...new Map(all.map((piece) => [piece.object, piece])).values()];
}
