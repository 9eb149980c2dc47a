import type { PlatformFamily } from '../platform-family.ts';

/** What a rule can look at: five facts of a frame, its platform and flag, and three of the exception above it. */
export type MatcherKey =
  | 'function'
  | 'module'
  | 'package'
  | 'path'
  | 'category'
  | 'family'
  | 'app'
  | 'type'
  | 'value'
  | 'mechanism';

export type RuleMatcher = {
  key: MatcherKey;
  /** A glob; for `family` a list with commas, for `app` a yes or no. */
  pattern: string;
  isNegated: boolean;
};

/** `up` means the frames nearer to the crash, `down` those that called; without either, the frame itself. */
export type ActionRange = 'up' | 'down' | null;

export type RuleAction =
  | { kind: 'app' | 'group'; value: boolean; range: ActionRange }
  | { kind: 'category'; value: string }
  | { kind: 'max-frames' | 'min-frames'; value: number }
  | { kind: 'invert-stacktrace'; value: boolean };

/** A line of the language: all matchers must hold, then all actions happen. */
export type StackTraceRule = {
  /** What the frame that called must be like; null when it does not matter. */
  caller: RuleMatcher | null;
  own: readonly RuleMatcher[];
  /** What the frame that was called must be like; null when it does not matter. */
  callee: RuleMatcher | null;
  actions: readonly RuleAction[];
};

/** Which rule decided something, for people. */
export type RuleSource = { text: string; origin: 'default' | 'project' };

/** What the rules say of one frame. */
export type FrameVerdict = {
  /** Whether it is the user's own code, after the rules; null when neither the SDK nor a rule says. */
  inApp: boolean | null;
  /** The rule that made `inApp` differ from what the SDK sent; null when none did. */
  inAppRule: RuleSource | null;
  category: string | null;
  /** Whether it may be grouped by; null when no rule says, so that its content decides. */
  contributes: boolean | null;
  contributesRule: RuleSource | null;
};

/** A limit of a whole stack with the rule that set it last. */
export type StackLimit<Value> = { value: Value; rule: RuleSource };

export type StackVerdict = {
  /** In the order of the frames. */
  frames: readonly FrameVerdict[];
  /** Only so many contributing frames count, those nearest to the crash. null or 0: all. */
  maxFrames: StackLimit<number> | null;
  /** With fewer contributing frames the stack does not contribute at all. null or 0: no such bound. */
  minFrames: StackLimit<number> | null;
  /** Whether the stack is shown upside down; it changes no hash. */
  invertStacktrace: StackLimit<boolean> | null;
};

/** The exception above the frames; a field that it lacks is matched as `<unknown>`. */
export type RuleException = {
  type: string | null;
  value: string | null;
  /** Its mechanism's type. */
  mechanism: string | null;
};

/** What a frame is called, and on which platform: this never changes. */
export type FrameNames = {
  family: PlatformFamily;
  function: string;
  module: string | null;
  /** With slashes and in lower case, as the path. */
  package: string | null;
  path: string | null;
};

/** What rules can ask of one frame. The flag and the category change while rules are applied. */
export type FrameFacts = { names: FrameNames; inApp: boolean | null; category: string | null };
