import type { Check } from '#ingest/answer-health.ts';
import { decodeRecord } from '#ingest/spool-record.ts';
import type { Log } from '#lib/log.ts';
import type { Backlog } from '#product/retention/drop-stored-days.ts';
import type { IngestLag } from '#product/services.ts';
import { hasOldSpool } from '#storage/spool-files/has-old-spool.ts';
import { readOldestWaiting } from '#storage/spool-files/read-oldest-waiting.ts';
import type { DigestFigures } from './messages.ts';

/** A shorter wait is nothing to speak of. */
const LAG_MS_MIN = 30_000;
const SAMPLE_EVERY_MS = 1_000;
/** Ten minutes: a longer wait is reported as that. */
const SAMPLES_MAX = 600;

/** Learns from the supervisor's reports how far the digest is behind what the edge accepted. Times are monotonic. */
export class IngestLagMeter {
  /** Up to which position records had arrived, oldest first. */
  readonly #arrivals: { at: number; head: number }[] = [];
  #position = 0;
  #troubleSince: number | null = null;
  #trouble = '';

  note(nowMs: number, check: Check | null, digest: DigestFigures | null): void {
    if (check && !check.ok) {
      this.#troubleSince ??= nowMs;
      this.#trouble = check.detail;
    } else {
      this.#troubleSince = null;
    }
    if (!digest) return;
    const { position, depth } = digest;
    // A spool that was made anew counts from its beginning.
    if (position < this.#position) this.#arrivals.length = 0;
    this.#position = position;
    const newest = this.#arrivals.at(-1);
    if (newest && nowMs - newest.at < SAMPLE_EVERY_MS) return;
    this.#arrivals.push({ at: nowMs, head: position + depth });
    if (this.#arrivals.length > SAMPLES_MAX) this.#arrivals.shift();
  }

  find(nowMs: number): IngestLag | null {
    if (this.#troubleSince !== null) {
      const ms = nowMs - this.#troubleSince;
      return ms > LAG_MS_MIN ? { seconds: Math.round(ms / 1_000), reason: this.#trouble } : null;
    }
    const waiting = this.#arrivals.find(({ head }) => head > this.#position);
    const ms = waiting ? nowMs - waiting.at : 0;
    return ms > LAG_MS_MIN ? { seconds: Math.round(ms / 1_000), reason: null } : null;
  }
}

/** What the spool in a folder holds that digest has not acknowledged. */
export async function findBacklog(folder: string, log: Log): Promise<Backlog> {
  try {
    if (hasOldSpool(folder)) return { kind: 'unknown' };
    const oldest = await readOldestWaiting(folder);
    if (oldest.kind !== 'waiting') return oldest;
    return { kind: 'waiting', sinceMs: decodeRecord(oldest.bytes).receivedAtMs };
  } catch (error) {
    log.warn({ error: String(error) }, 'What waits for digest cannot be read; blobs that no row names stay');
    return { kind: 'unknown' };
  }
}
