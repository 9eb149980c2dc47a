import type { ItemOutcome } from '#pipeline/item.ts';
import type { Outcome } from '#protocol/outcome.ts';

/** What would become of something that was sent, and why. */
export type ExplainedOutcome = {
  outcome: Outcome;
  /** Machine-readable, as in the stats; empty for accepted. */
  reason: string;
  /** In words; null when the reason says it all. */
  detail: string | null;
};

export type ExplainedEvent = {
  /** As it was understood, before anything private was taken out. */
  normalized: unknown;
  /** As it would be stored; of a dropped event, as it would have been. */
  stored: unknown;
};

export type ExplainedGrouping = {
  /** The primary one; events that share a hash are one issue. */
  hash: string;
  /** All hashes that the event could be found by, the primary one first. */
  hashes: readonly string[];
  /** Name of the variant that the primary hash is of, such as `app`. */
  variant: string;
  /** Whether a fingerprint takes part, of the SDK or a rule, or only what Errata finds in the event. */
  by: 'fingerprint' | 'event';
  /** The fingerprint rule that matched; null when none did. */
  rule: string | null;
  /** What the primary hash is made of, in order. */
  parts: readonly string[];
  title: string;
  culprit: string;
};

/** One change that a privacy rule made. */
export type ScrubbedValue = {
  /** Dotted, for example `request.headers.2.1`. */
  path: string;
  /** For example `@password:filter`. */
  rule: string;
  /** `removed`, `masked`, `hashed`, `replaced`, or the mark's own letter. */
  method: string;
  /** Half-open range of the changed characters in what is stored; null for the whole value. */
  range: readonly [number, number] | null;
  /** Length of the text before; null when it was none. */
  lengthBefore: number | null;
};

export type ExplainedItem = {
  type: string;
  bytes: number;
  outcomes: readonly ItemOutcome[];
  /** Rows that would be stored, by table; empty for events, which stand in `event`. */
  rows: Readonly<Record<string, readonly unknown[]>>;
  event: ExplainedEvent | null;
  grouping: ExplainedGrouping | null;
  scrubbed: readonly ScrubbedValue[];
};

/** What `errata explain` prints. Of an envelope the first four are those of the item that brings its event. */
export type Explanation = {
  outcome: ExplainedOutcome;
  event: ExplainedEvent | null;
  grouping: ExplainedGrouping | null;
  scrubbed: readonly ScrubbedValue[];
  /** Every item of an envelope, in its order; absent for a lone event. */
  items?: readonly ExplainedItem[];
};
