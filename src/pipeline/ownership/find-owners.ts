import { compileGlob } from '#pipeline/patterns/glob.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { compileCodeownersPattern } from '../patterns/codeowners-pattern.ts';
import { parseCodeowners } from './parse-codeowners.ts';
import { type OwnershipRule, parseOwnershipRules } from './parse-ownership-rules.ts';

/** Ownership rules made ready. `rules` are in the order of their rank: the last line of the rules counts most. */
export type CompiledOwnership = {
  rules: readonly (OwnershipRule & { matcher: Matcher })[];
  stackRoot: string;
  sourceRoot: string;
};

/** A rule that fits an event, and the value of the event that it fits. */
export type OwnerMatch = { rule: OwnershipRule; value: string };

export type OwnedEvent = {
  tags: readonly (readonly [string, string])[];
  payload: NormalizedEvent;
};

/**
 * How many comparisons of characters may still be made; what is looked for draws on it. Of a plain rule, a path takes
 * twice its length.
 */
export type ComparisonBudget = { left: number };

/** `cost` is how many comparisons one character takes at most. */
type Matcher = { matches: (value: Value) => boolean; cost: number };

/** Frames that ownership rules look at, innermost first. */
const FRAMES_MAX = 100;
/** Matching rules found for one event. */
const MATCHES_MAX = 50;

/** Lines that cannot be read are left out. */
export function compileOwnership(texts: {
  rules: string;
  codeowners: string;
  stackRoot: string;
  sourceRoot: string;
}): CompiledOwnership {
  const rules = [
    ...parseOwnershipRules(texts.rules).rules.toReversed(),
    ...parseCodeowners(texts.codeowners).rules.toReversed(),
  ].flatMap((rule) => {
    const matcher = compileMatcher(rule);
    return matcher ? [{ ...rule, matcher }] : [];
  });
  return { rules, stackRoot: texts.stackRoot, sourceRoot: texts.sourceRoot };
}

function compileMatcher({ type, pattern }: OwnershipRule): Matcher | null {
  if (type === 'codeowners') {
    const compiled = compileCodeownersPattern(pattern).pattern;
    return compiled && { matches: ({ parts }) => compiled.matches(parts), cost: compiled.cost };
  }
  const { glob } = compileGlob(pattern);
  return glob && { matches: ({ lower }) => glob.matches(lower), cost: glob.cost };
}

/**
 * Every rule that fits the event, the one that counts most first: of the ownership rules before those of the CODEOWNERS
 * file, of each the last line first. `limit` leaves only so many. Once `budget` is spent no other rule is tried, and
 * `isComplete` is false.
 */
export function findOwners(
  ownership: CompiledOwnership,
  event: OwnedEvent,
  { limit = MATCHES_MAX, budget }: { limit?: number; budget: ComparisonBudget },
): { matches: readonly OwnerMatch[]; isComplete: boolean } {
  const matches: OwnerMatch[] = [];
  const read = memoize((type: string) => readValues(ownership, event, type));
  for (const { matcher, ...rule } of ownership.rules) {
    if (matches.length >= limit) break;
    const { values, characters } = read(rule.type);
    const comparisons = 1 + characters * matcher.cost;
    if (comparisons > budget.left) return { matches, isComplete: false };
    budget.left -= comparisons;
    const match = values.find(matcher.matches);
    if (match) matches.push({ rule, value: match.value });
  }
  return { matches, isComplete: true };
}

/** What a pattern is tried on: as it is, in lower case, and the parts of a path. */
type Value = { value: string; lower: string; parts: readonly string[] };
/** `characters` are those of all of them. */
type Values = { values: readonly Value[]; characters: number };

function readValues(ownership: CompiledOwnership, event: OwnedEvent, type: string): Values {
  const values = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'string' && value !== '') values.add(value);
  };
  if (type === 'url') add(event.payload.request?.url);
  else if (type === 'module') for (const frame of innermost(event.payload)) add(frame.module);
  else if (type === 'path') {
    for (const frame of innermost(event.payload)) {
      for (const path of pathsOf(frame, event.payload.platform)) add(path.replaceAll('\\', '/'));
    }
  } else if (type === 'codeowners') {
    for (const frame of innermost(event.payload)) {
      if (frame.in_app === false) continue;
      for (const path of pathsOf(frame, event.payload.platform)) add(pathInRepository(ownership, path));
    }
  } else for (const value of tagValues(event, type.slice('tags.'.length))) add(value);
  const read = [...values].map((value) => {
    const lower = value.toLowerCase();
    return { value, lower, parts: type === 'codeowners' ? lower.split('/') : [] };
  });
  return { values: read, characters: read.reduce((sum, { lower }) => sum + lower.length, 0) };
}

function tagValues({ tags, payload }: OwnedEvent, name: string): unknown[] {
  const values: unknown[] = tags.filter(([key]) => key === name).map(([, value]) => value);
  if (name.startsWith('user.') && payload.user) {
    const field = name.slice('user.'.length);
    const { data, ...known } = payload.user;
    for (const fields of [known, data ?? {}])
      if (Object.hasOwn(fields, field)) values.push(Reflect.get(fields, field));
  }
  return values;
}

const innermost = (payload: NormalizedEvent): readonly Frame[] => listFrames(payload).slice(-FRAMES_MAX);

/** Frames of the exceptions, of the message, or of the thread that crashed; innermost call last. */
function listFrames(payload: NormalizedEvent): readonly Frame[] {
  const frames = [
    ...(payload.stacktrace?.frames ?? []),
    ...(payload.exception?.values ?? []).flatMap((exception) => exception.stacktrace?.frames ?? []),
  ];
  if (frames.length > 0) return frames;
  const threads = payload.threads?.values ?? [];
  const thread =
    threads.find(({ crashed }) => crashed) ?? threads.find(({ current }) => current) ?? threads[0];
  return thread?.stacktrace?.frames ?? [];
}

function pathsOf(frame: Frame, platform: string): readonly string[] {
  const { filename, abs_path: absolute, module } = frame;
  const paths = [filename, absolute];
  // A frame of the JVM names the file alone: its package is the folder.
  if ((frame.platform ?? platform) === 'java' && filename && module && !filename.includes('/')) {
    paths.push([...module.split('.').slice(0, -1), filename].join('/'));
  }
  return paths.flatMap((path) => path || []);
}

/** Without a scheme and host, and with the root of the repository in the place of that of the stack trace. */
function pathInRepository({ stackRoot, sourceRoot }: CompiledOwnership, sent: string): string {
  const path = sent.replaceAll('\\', '/');
  const mapped =
    stackRoot !== '' && path.startsWith(stackRoot) ? `${sourceRoot}/${path.slice(stackRoot.length)}` : path;
  return mapped
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function memoize<Result>(read: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
