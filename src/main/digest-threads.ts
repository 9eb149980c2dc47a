import { availableParallelism } from 'node:os';
import type { DigestSymbols } from '#ingest/digest-symbols.ts';
import type { IssueRulesTable } from '#ingest/issue-rules-table.ts';
import type { RulesTable } from '#ingest/rules-table.ts';
import { answerSymbols } from '#ingest/understanding/answer-symbols.ts';
import { ThreadPool } from '#ingest/understanding/thread-pool.ts';
import type { Log } from '#lib/log.ts';
import type { GeoDatabase } from '#storage/disk/geo-database.ts';
import type { Config } from '../config.ts';
import type { BlobSettings } from './open-blob-store.ts';

/** What a thread of digest is started with. */
export type DigestThreadData = Pick<Config, 'faultPoints'> & BlobSettings;

/** The threads that understand events; null where the one that stores does it too. */
export function startDigestThreads(
  {
    dataDir,
    blobs,
    s3Credentials,
    faultPoints,
    digestThreads,
    memory,
  }: Pick<Config, 'faultPoints' | 'digestThreads' | 'memory'> & BlobSettings,
  known: { rules: RulesTable; issueRules: IssueRulesTable; symbols: DigestSymbols; geo: GeoDatabase | null },
  log: Log,
): ThreadPool | null {
  // A machine with little memory has none for threads.
  const byDefault = memory.name === 'small' ? 0 : defaultThreads(availableParallelism());
  const threads = digestThreads ?? byDefault;
  if (threads === 0) return null;
  const { rules, issueRules, symbols, geo } = known;
  const pool = new ThreadPool({
    threads,
    module: new URL('./digest-thread.ts', import.meta.url),
    workerData: { dataDir, blobs, s3Credentials, faultPoints } satisfies DigestThreadData,
    answers: {
      findProject: (projectId) => ({
        ...rules.describe(projectId),
        discardedHashes: issueRules.listDiscarded(projectId),
      }),
      findSymbols: (scope, wishes) => answerSymbols(symbols, scope, wishes),
    },
    log,
  });
  rules.onChange((projectIds) => pool.forget(projectIds));
  issueRules.onDiscard(() => pool.forget(null));
  geo?.share((database) => pool.shareGeo(database));
  return pool;
}

/** By default; the one that stores keeps up with no more. */
const THREADS_BY_DEFAULT_MAX = 8;

/** One processor is left to the thread that stores. With two, both are busy with the stores and the edge already. */
const defaultThreads = (processors: number): number =>
  processors <= 2 ? 0 : Math.min(processors - 1, THREADS_BY_DEFAULT_MAX);
