/** A condition of a rule: `["error.type", "Timeout*"]`; `!` before the key turns it round. */
type FingerprintMatcherPair = readonly [key: string, pattern: string];

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

/** The names that people write. */
const KEYS: ReadonlyMap<string, FingerprintKey> = new Map<string, FingerprintKey>([
  ['error.type', 'type'],
  ['error.value', 'value'],
  ['stack.function', 'function'],
  ['stack.module', 'module'],
  ['stack.abs_path', 'path'],
  ['stack.package', 'package'],
  ['type', 'type'],
  ['value', 'value'],
  ['function', 'function'],
  ['module', 'module'],
  ['path', 'path'],
  ['package', 'package'],
  ['message', 'message'],
  ['logger', 'logger'],
  ['level', 'level'],
  ['family', 'family'],
  ['app', 'app'],
  ['sdk', 'sdk'],
  ['release', 'release'],
  ['thread.id', 'thread.id'],
  ['thread.name', 'thread.name'],
  ['thread.state', 'thread.state'],
  ['thread.crashed', 'thread.crashed'],
  ['thread.current', 'thread.current'],
]);

/** null for a name that is none. */
export function fingerprintKey(name: string): FingerprintKey | null {
  if (name.startsWith('tags.') && name.length > 'tags.'.length) return name as FingerprintKey;
  return KEYS.get(name) ?? null;
}

/**
 * What a key belongs to. All matchers of one group must hold for the same exception, frame, thread; different groups
 * have nothing to do with each other.
 */
export type FingerprintGroup =
  | 'message'
  | 'log'
  | 'exception'
  | 'tags'
  | 'sdk'
  | 'family'
  | 'release'
  | 'thread'
  | 'frame';

export function groupOf(key: FingerprintKey): FingerprintGroup {
  if (key.startsWith('tags.')) return 'tags';
  if (key.startsWith('thread.')) return 'thread';
  switch (key) {
    case 'logger':
    case 'level':
      return 'log';
    case 'type':
    case 'value':
      return 'exception';
    case 'message':
    case 'sdk':
    case 'family':
    case 'release':
      return key;
    default:
      return 'frame';
  }
}

/** Keys of which the letters' case does not matter, and those whose patterns are paths, of which it does not either. */
const ANY_CASE: ReadonlySet<FingerprintKey> = new Set([
  'message',
  'level',
  'value',
  'thread.id',
  'thread.name',
  'thread.state',
] as const);
const PATHS: ReadonlySet<FingerprintKey> = new Set(['path', 'package', 'release'] as const);
const BOOLEANS: ReadonlySet<FingerprintKey> = new Set(['app', 'thread.crashed', 'thread.current'] as const);

type PatternKind = 'name' | 'text' | 'path' | 'boolean' | 'list';

/** How a key's pattern is read: `name` minds upper and lower case, `text` does not. */
export function patternKind(key: FingerprintKey): PatternKind {
  if (PATHS.has(key)) return 'path';
  if (BOOLEANS.has(key)) return 'boolean';
  if (key === 'family' || key === 'sdk') return 'list';
  return ANY_CASE.has(key) ? 'text' : 'name';
}
