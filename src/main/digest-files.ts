import type { Check } from '#ingest/answer-health.ts';
import { AttemptFile } from '#ingest/attempt-file.ts';
import { type DigestProgress, type LoopDeps, runDigestLoop } from '#ingest/digest-loop.ts';
import { noProgress } from '#ingest/partitions/run-partitions.ts';
import type { Log } from '#lib/log.ts';
import type { Stores } from '#product/stores.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import type { Config } from '../config.ts';
import { keepIngestMark } from './ingest-marks.ts';
import type { DigestFigures } from './messages.ts';
import { openSpoolToRead } from './open-spool.ts';
import { attemptPath, spoolFolder } from './spool-paths.ts';

/** What digest has around its loop. */
export type DigestSurroundings = {
  config: Config;
  stores: Stores;
  clickhouse: ClickhouseDatabase;
  log: Log;
  /** Told what nobody can go on after. */
  fail(error: unknown): void;
  signal: AbortSignal;
};

/** A spool that is being digested until the signal says stop. */
export type RunningDigest = {
  check(): Check;
  figures(): DigestFigures;
  /** Resolves when everything is closed. */
  ended: Promise<void>;
};

/** Digests the files of this machine. */
export async function digestFiles(
  deps: LoopDeps,
  { config, stores, log, fail, signal }: DigestSurroundings,
): Promise<RunningDigest> {
  const spool = await openSpoolToRead(spoolFolder(config.dataDir), log);
  const attempts = new AttemptFile(attemptPath(config.dataDir));
  const progress = noProgress();
  const loop = runDigestLoop({ ...deps, spool, attempts, log }, progress, signal).catch(fail);
  const { dataDir } = config;
  const mark = keepIngestMark(
    {
      dataDir,
      spoolId: spool.spoolId,
      isFormer: config.spool !== null,
      position: () => progress.position,
      marks: stores.ingestMarks,
      log,
    },
    signal,
  );
  return {
    check: () => describeProgress(progress),
    figures: () => figuresOf(progress),
    ended: Promise.all([loop, mark]).then(() => spool.close()),
  };
}

const describeProgress = ({ stalled, depth }: DigestProgress): Check =>
  stalled
    ? { ok: false, detail: `waits for a store: ${stalled}` }
    : { ok: true, detail: `${depth} records wait` };

const figuresOf = ({ position, depth, events, quarantined }: DigestProgress): DigestFigures => ({
  position,
  depth,
  events,
  quarantined,
});
