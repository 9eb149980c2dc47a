import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** A process that digests partitions of a topic. */
export type SpoolWorker = { topicId: string; workerId: string /** Its machine, for people. */; name: string };

/** How far a worker is with a partition. */
export type PartitionNote = {
  partition: number;
  /** Of the last record that is done, and of the last one that was written. */
  position: number;
  endPosition: number;
  /** When the first record that waits was received, in milliseconds since the epoch; null for none. */
  oldestReceivedAt: number | null;
  recordsPerSecond: number;
  /** Records that the log lost before they were read, since the last note. */
  newlyLost: number;
  /** Why nothing is read; null while all is well. */
  trouble: string | null;
};

export type SpoolPartition = Omit<PartitionNote, 'newlyLost'> & {
  /** The machine of its worker; null while nobody has it. */
  owner: string | null;
  lostRecords: number;
  updatedAt: number;
};

/** A worker that is silent for so long has lost its partitions. */
export const LEASE_MS = 10_000;
/** Of a topic that is gone. */
const FORGOTTEN_HOURS = 24;
const PARTITIONS_LISTED_MAX = 10_000;

/** Partitions of a shared spool and their workers. Only the clock of the database counts. Source: PostgreSQL. */
export function createSpoolPartitionStore(db: Kysely<Database>) {
  const lease = sql`now() + make_interval(secs => ${LEASE_MS / 1_000})`;
  return {
    /** Makes a row for each partition, and forgets topics that are gone. */
    async prepare(topicId: string, partitions: number): Promise<void> {
      await sql`
        INSERT INTO spool_partitions (topic_id, partition)
        SELECT ${topicId}, partition FROM generate_series(0, ${partitions - 1}::int) AS partition
        ON CONFLICT DO NOTHING`.execute(db);
      const old = sql`now() - make_interval(hours => ${FORGOTTEN_HOURS})`;
      await sql`DELETE FROM spool_partitions WHERE topic_id <> ${topicId} AND updated_at < ${old}`.execute(
        db,
      );
      await sql`DELETE FROM spool_workers WHERE seen_at < ${old}`.execute(db);
    },

    /** Says that the worker lives and how far it is. Answers what it still has, and how many workers live. */
    async renew(
      { topicId, workerId, name }: SpoolWorker,
      notes: readonly PartitionNote[],
    ): Promise<{ kept: readonly number[]; workers: number }> {
      await sql`
        INSERT INTO spool_workers (topic_id, worker_id, name, seen_at) VALUES (${topicId}, ${workerId}, ${name}, now())
        ON CONFLICT (topic_id, worker_id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at`.execute(
        db,
      );
      const rows = notes.map((note) => ({
        partition: note.partition,
        position: note.position,
        end_position: note.endPosition,
        oldest_received_at: note.oldestReceivedAt === null ? null : new Date(note.oldestReceivedAt),
        records_per_second: note.recordsPerSecond,
        newly_lost: note.newlyLost,
        trouble: note.trouble,
      }));
      const kept = await query<{ partition: number }>`
        UPDATE spool_partitions p SET lease_until = ${lease}, position = note.position, end_position = note.end_position,
          oldest_received_at = note.oldest_received_at, records_per_second = note.records_per_second,
          lost_records = p.lost_records + note.newly_lost, trouble = note.trouble, updated_at = now()
        FROM json_to_recordset(${toStorableJson(rows)}::json) AS note (partition int, position bigint, end_position bigint,
          oldest_received_at timestamptz, records_per_second double precision, newly_lost bigint, trouble text)
        WHERE p.topic_id = ${topicId} AND p.worker_id = ${workerId} AND p.partition = note.partition
        RETURNING p.partition`.execute(db);
      const living = await query<{ workers: number }>`
        SELECT count(*)::int AS workers FROM spool_workers
        WHERE topic_id = ${topicId} AND seen_at > now() - make_interval(secs => ${LEASE_MS / 1_000})`.first(
        db,
      );
      return { kept: kept.map(({ partition }) => partition), workers: Math.max(1, living?.workers ?? 1) };
    },

    /** At most `limit` partitions that nobody has; `isOwn`: nobody else had it since this worker. */
    async take(
      { topicId, workerId }: SpoolWorker,
      held: readonly number[],
      limit: number,
    ): Promise<readonly { partition: number; isOwn: boolean }[]> {
      return query<{ partition: number; isOwn: boolean }>`
        WITH free AS (
          SELECT partition, coalesce(worker_id = ${workerId}, false) AS is_own FROM spool_partitions
          WHERE topic_id = ${topicId} AND (worker_id IS NULL OR worker_id = ${workerId} OR lease_until < now())
            AND NOT partition = ANY(${[...held]}::int[])
          ORDER BY 2 DESC, random() LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )
        UPDATE spool_partitions p SET worker_id = ${workerId}, lease_until = ${lease}, updated_at = now()
        FROM free WHERE p.topic_id = ${topicId} AND p.partition = free.partition
        RETURNING p.partition, free.is_own`.execute(db);
    },

    /** Lets others have it at once. */
    async release({ topicId, workerId }: SpoolWorker, partition: number): Promise<void> {
      await sql`
        UPDATE spool_partitions SET lease_until = '-infinity', records_per_second = 0, updated_at = now()
        WHERE topic_id = ${topicId} AND partition = ${partition} AND worker_id = ${workerId}`.execute(db);
    },

    /** Lets others have all of its partitions at once. */
    async leave({ topicId, workerId }: SpoolWorker): Promise<void> {
      await sql`DELETE FROM spool_workers WHERE topic_id = ${topicId} AND worker_id = ${workerId}`.execute(
        db,
      );
    },

    /** By number; of the topic that was worked on last. Empty where the spool is files. */
    list: (): Promise<readonly SpoolPartition[]> =>
      query<SpoolPartition>`
        SELECT p.partition, p.position, p.end_position, p.oldest_received_at, p.records_per_second, p.lost_records,
          p.trouble, p.updated_at, CASE WHEN p.lease_until > now() THEN w.name END AS owner
        FROM spool_partitions p
        LEFT JOIN spool_workers w ON w.topic_id = p.topic_id AND w.worker_id = p.worker_id
        WHERE p.topic_id = (SELECT topic_id FROM spool_partitions ORDER BY updated_at DESC LIMIT 1)
        ORDER BY p.partition LIMIT ${PARTITIONS_LISTED_MAX}`.execute(db),
  };
}

export type SpoolPartitionStore = ReturnType<typeof createSpoolPartitionStore>;
