import type { Stacktrace } from '#protocol/event.ts';
import type { CompiledFingerprintRules } from './fingerprint/compile-fingerprint-rules.ts';
import type { CompiledStackTraceRules } from './stack-trace-rules/compile-stack-trace-rules.ts';
import type { StackVerdict } from './stack-trace-rules/rule-types.ts';

/** A version of the algorithm: an event that was hashed by one keeps its hash when a later one is added. */
type GroupingConfigId = 'newstyle:2026-01-20';

/** Sentry's names of the ways in which an event can be grouped. */
export type VariantName =
  | 'app'
  | 'system'
  | 'default'
  | 'fallback'
  | 'checksum'
  | 'hashed_checksum'
  | 'custom_client_fingerprint'
  | 'custom_server_fingerprint'
  | 'built_in_fingerprint';

/** A part of an event as the algorithm sees it. Its leaves are hashed when it and all parts above it contribute. */
export type GroupingComponent = {
  /** The kind of part: `exception`, `frame`, `function`. */
  id: string;
  /** For people; null when the id says it all. */
  name: string | null;
  contributes: boolean;
  /** Why it contributes or not, in words; null when nothing special was decided. */
  hint: string | null;
  values: readonly (string | GroupingComponent)[];
};

export type GroupingVariant = {
  name: VariantName;
  /** md5 of what contributes, or a checksum as sent; null when the variant does not contribute. */
  hash: string | null;
  contributes: boolean;
  /** Why it does not contribute; null when it does. */
  hint: string | null;
  /** What was hashed, in order. */
  values: readonly string[];
  /** null for checksums and the fallback; for a custom fingerprint as well. */
  tree: GroupingComponent | null;
  /** The fingerprint with its variables filled in; null when none takes part. */
  fingerprint: readonly string[] | null;
};

export type Grouping = {
  config: GroupingConfigId;
  variants: Readonly<Record<string, GroupingVariant>>;
  /** Hashes that contribute, without repeats; the first is the primary one. Never empty. */
  hashes: readonly string[];
  /** What a fingerprint rule titles the issue; null when none does. */
  title: string | null;
  /** Text of the fingerprint rule that matched; null when none did. */
  matchedRule: string | null;
};

/** A project's rules, made ready. */
export type GroupingRules = {
  config: GroupingConfigId;
  fingerprint: CompiledFingerprintRules;
  stackTrace: CompiledStackTraceRules;
};

/** What the strategies know besides the event. */
export type GroupingContext = {
  config: GroupingConfig;
  /** Of the event; a frame may have another. */
  platform: string;
  /** What the rules say of each stack trace of the event. */
  verdicts: ReadonlyMap<Stacktrace, StackVerdict>;
};

/** What may differ between two versions of the algorithm. Hashes depend on all of it, so a version never changes. */
export type GroupingConfig = {
  id: GroupingConfigId;
  /** The parts of an exception in the order in which they are hashed. */
  exceptionOrder: readonly ('type' | 'value' | 'ns_error' | 'stacktrace')[];
  /** Platforms whose SDKs send source lines good enough to group by. */
  contextLinePlatforms: ReadonlySet<string>;
};

const CONFIGS: Readonly<Record<GroupingConfigId, GroupingConfig>> = {
  'newstyle:2026-01-20': {
    id: 'newstyle:2026-01-20',
    exceptionOrder: ['type', 'value', 'ns_error', 'stacktrace'],
    contextLinePlatforms: new Set(['javascript', 'node', 'python', 'php', 'ruby']),
  },
};

/** The version that new projects get. */
export const LATEST_GROUPING_CONFIG: GroupingConfigId = 'newstyle:2026-01-20';

export const groupingConfig = (id: GroupingConfigId): GroupingConfig => CONFIGS[id];
