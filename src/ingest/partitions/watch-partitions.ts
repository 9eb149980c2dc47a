import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { SpoolPartition, SpoolPartitionStore } from '#product/spool/spool-partition-store.ts';
import type { Check } from '../answer-health.ts';

const LOOK_EVERY_MS = 2_000;
/** A partition that nobody has for a moment, as while it is handed over, is well. */
const UNOWNED_MS_MAX = 30_000;
/** Partitions that have a line of their own in the health of the server. */
const LINES_MAX = 32;

/** What is known of the partitions of a shared spool, whichever machine digests them. */
export class PartitionWatch {
  readonly #store: Pick<SpoolPartitionStore, 'list'>;
  readonly #log: Log;
  readonly #onList: (partitions: readonly SpoolPartition[]) => void;
  #partitions: readonly SpoolPartition[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  constructor(
    store: Pick<SpoolPartitionStore, 'list'>,
    log: Log,
    onList: (partitions: readonly SpoolPartition[]) => void,
  ) {
    this.#store = store;
    this.#log = log;
    this.#onList = onList;
  }

  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#partitions = await this.#store.list();
      this.#onList(this.#partitions);
    } catch (error) {
      this.#log.debug({ error: messageOf(error) }, 'The partitions of the spool could not be looked up');
    } finally {
      this.#isLooking = false;
    }
  }

  /** A line for each partition, or one for all where they are many. */
  checks(nowMs: number): Record<string, Check> {
    const lines = this.#partitions.map((partition) => [partition, describe(partition, nowMs)] as const);
    if (lines.length <= LINES_MAX)
      return Object.fromEntries(lines.map(([{ partition }, check]) => [`partition ${partition}`, check]));
    const failed = lines.filter(([, { ok }]) => !ok);
    const [first] = failed;
    const detail = first
      ? `${failed.length} of ${lines.length} fail, the first is ${first[0].partition}: ${first[1].detail}`
      : `${lines.length} are well`;
    return { partitions: { ok: failed.length === 0, detail } };
  }
}

function describe(partition: SpoolPartition, nowMs: number): Check {
  const { owner, position, endPosition, oldestReceivedAt, recordsPerSecond, lostRecords, trouble } =
    partition;
  const parts = [
    owner === null ? 'no digest has it' : `digested by ${owner}`,
    `${Math.max(0, endPosition - position)} records wait`,
  ];
  if (oldestReceivedAt !== null)
    parts.push(`the first for ${Math.round((nowMs - oldestReceivedAt) / 1_000)} s`);
  if (recordsPerSecond > 0) parts.push(`${Math.round(recordsPerSecond)} a second`);
  if (lostRecords > 0) parts.push(`${lostRecords} were lost before they were read`);
  if (trouble !== null) parts.push(trouble);
  return {
    ok: trouble === null && (owner !== null || nowMs - partition.updatedAt < UNOWNED_MS_MAX),
    detail: parts.join(', '),
  };
}
