/** A condition of a rule: `["error.type", "Timeout*"]`; `!` before the key turns it round. */
export type FingerprintMatcherPair = readonly [key: string, pattern: string];

/** A rule as Sentry's API writes it. */
export type StructuredFingerprintRule = {
  matchers: readonly FingerprintMatcherPair[];
  fingerprint: readonly string[];
  attributes?: { title?: string } | null;
};

/** What a matcher looks at, by the name that it is known by inside. A tag's is `tags.` and its key. */
export type FingerprintKey =
  | 'type'
  | 'value'
  | 'message'
  | 'logger'
  | 'level'
  | 'function'
  | 'module'
  | 'path'
  | 'package'
  | 'app'
  | 'family'
  | 'sdk'
  | 'release'
  | 'thread.id'
  | 'thread.name'
  | 'thread.state'
  | 'thread.crashed'
  | 'thread.current'
  | `tags.${string}`;

export type FingerprintMatcher = {
  key: FingerprintKey;
  /** A glob; for `family` and `sdk` a list with commas, for `app` and two of a thread a yes or no. */
  pattern: string;
  isNegated: boolean;
  /** Which frame it looks at; everything but a frame's facts has only `own`. */
  frame: 'caller' | 'own' | 'callee';
};

export type FingerprintRule = {
  matchers: readonly FingerprintMatcher[];
  /** With its variables. `{{ default }}` in any spelling is `{{ default }}`. */
  fingerprint: readonly string[];
  /** null when the rule leaves the title alone. */
  title: string | null;
};

export type FingerprintMatch = {
  /** The rule as text. */
  rule: string;
  /** Whether the rule is one of Errata's own. */
  isBuiltIn: boolean;
  fingerprint: readonly string[];
  /** The variables filled in; `{{ default }}` stays as it is. */
  values: readonly string[];
  /** The title with its variables filled in, from the message as sent; null when the rule has none. */
  title: string | null;
};
