import { FEEDBACK_TYPE, type NormalizedEvent } from '#protocol/event.ts';
import { isMonitorIssueType } from '#protocol/monitor-issue.ts';
import { isDefaultEntry } from './grouping/fingerprint/fingerprint-variables.ts';
import { matchFingerprintRule } from './grouping/fingerprint/match-fingerprint-rule.ts';
import { groupEvent, prepareAndGroupEvent } from './grouping/group-event.ts';
import type { Grouping } from './grouping/grouping-types.ts';
import type { IngestRules } from './ingest-rules.ts';

/** An event as it is stored, and which issue it belongs to. */
type GroupedEvent = { payload: NormalizedEvent; grouping: Pick<Grouping, 'hashes' | 'title'> };

type Exception = NonNullable<NormalizedEvent['exception']>;
/** What an exception was made into, where nothing else in its event had a say. */
type Known = { exception: Exception; hashes: readonly string[] };

/** Exceptions that are remembered, and characters of their JSON: with what was made of them, 10 MB. */
const KNOWN_MAX = 1_000;
const CHARS_MAX = 2_000_000;
/** Of one exception. */
const KEY_CHARS_MAX = 100_000;
/** After so many in a row that were new, only some are looked up: variables of a frame make each exception another one. */
const MISSES_MAX = 64;
const REST = 16;
/** Platforms are what senders call them; of more than so many at once, counting begins anew. */
const PLATFORMS_MAX = 100;

/**
 * Most errors come again and again with the same exception, to the last line: scrubbing its frames, applying the rules to
 * them and hashing what is left is done once. The result is what it would have been without.
 */
export class RepeatedExceptions {
  /** The one that was looked up last stands last. */
  readonly #known = new Map<string, Known>();
  #chars = 0;
  readonly #serials = new WeakMap<IngestRules, number>();
  #nextSerial = 1;
  /** By platform, how many in a row were new. */
  readonly #misses = new Map<string, number>();

  /** Scrubs an event that was normalized and symbolicated, and says which issue it belongs to. */
  scrubAndGroup(event: NormalizedEvent, rules: IngestRules): GroupedEvent {
    const key = this.#keyOf(event, rules);
    const known = key === null ? undefined : this.#find(key, event.platform);
    if (!known) {
      const scrubbed = rules.scrubber.scrubEvent(event);
      const { event: payload, grouping } = prepareAndGroupEvent(scrubbed, rules.grouping);
      // What was hidden in the exception is marked elsewhere in the event.
      if (key !== null && scrubbed.exception === event.exception && isByException(grouping)) {
        this.#remember(key, payload.exception, grouping.hashes);
      }
      return { payload, grouping };
    }
    const others = rules.scrubber.scrubEvent({ ...event, exception: null });
    const payload = { ...others, exception: known.exception };
    const isMatched = matchFingerprintRule(rules.grouping.fingerprint, payload) !== null;
    const grouping = isMatched ? groupEvent(payload, rules.grouping) : { hashes: known.hashes, title: null };
    return { payload, grouping };
  }

  get size(): { entries: number; chars: number; platforms: number } {
    return { entries: this.#known.size, chars: this.#chars, platforms: this.#misses.size };
  }

  /** null for an event in which more than the exception decides, and for one that is not worth looking up. */
  #keyOf(event: NormalizedEvent, rules: IngestRules): string | null {
    if (!isDecidedByException(event)) return null;
    const misses = this.#misses.get(event.platform) ?? 0;
    if (misses >= MISSES_MAX && misses % REST !== 0) {
      this.#miss(event.platform);
      return null;
    }
    let serial = this.#serials.get(rules);
    if (serial === undefined) {
      serial = this.#nextSerial++;
      this.#serials.set(rules, serial);
    }
    // The version of the SDK decides how a chain of exceptions is read.
    const key = JSON.stringify([serial, event.platform, event.sdk?.version, event.exception]);
    if (key.length <= KEY_CHARS_MAX) return key;
    this.#miss(event.platform);
    return null;
  }

  #find(key: string, platform: string): Known | undefined {
    const known = this.#known.get(key);
    if (!known) {
      this.#miss(platform);
      return undefined;
    }
    this.#misses.delete(platform);
    this.#known.delete(key);
    this.#known.set(key, known);
    return known;
  }

  #miss(platform: string): void {
    if (!this.#misses.has(platform) && this.#misses.size >= PLATFORMS_MAX) this.#misses.clear();
    this.#misses.set(platform, (this.#misses.get(platform) ?? 0) + 1);
  }

  #remember(key: string, exception: NormalizedEvent['exception'], hashes: readonly string[]): void {
    if (!exception) return;
    this.#known.set(key, { exception, hashes });
    this.#chars += key.length;
    for (const [oldest] of this.#known) {
      if (this.#known.size <= KNOWN_MAX && this.#chars <= CHARS_MAX) break;
      this.#known.delete(oldest);
      this.#chars -= oldest.length;
    }
  }
}

/** Whether stack traces, a fingerprint, a checksum or a kind that is grouped in its own way have no say. */
const isDecidedByException = (event: NormalizedEvent): boolean =>
  event.exception?.values.some(({ stacktrace }) => stacktrace) === true &&
  !event.stacktrace &&
  !event.threads &&
  !event.checksum &&
  (event.fingerprint ?? []).length <= 1 &&
  (event.fingerprint ?? []).every(isDefaultEntry) &&
  !event.occurrence &&
  event.type !== FEEDBACK_TYPE &&
  !isMonitorIssueType(event.type);

/** The hashes are those of the exception: it contributes, which leaves out the message and all others. */
const isByException = ({ matchedRule, variants }: Grouping): boolean =>
  matchedRule === null &&
  (variants.app?.contributes || variants.system?.contributes) === true &&
  Object.values(variants).every(
    ({ name, contributes }) => name === 'app' || name === 'system' || !contributes,
  );
