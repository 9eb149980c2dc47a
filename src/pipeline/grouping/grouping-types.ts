import type { CompiledFingerprintRules } from './fingerprint/compile-fingerprint-rules.ts';
import type { CompiledStackTraceRules } from './stack-trace-rules/compile-stack-trace-rules.ts';

/** A version of the algorithm: an event that was hashed by one keeps its hash when a later one is added. */
export type GroupingConfigId = 'newstyle:2026-01-20';

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
