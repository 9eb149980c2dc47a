import type { ProcessingError } from '#protocol/event.ts';
import { isSource } from '../normalize/field-reader.ts';
import type { CrashFacts } from './crash-facts.ts';

type Sent = Readonly<Record<string, unknown>>;

/**
 * The event as if the SDK had sent what the dump says; what the SDK did send stays, besides exceptions and threads: of
 * those the dump knows better. Sources: `write_native_placeholder` in relay-server/src/utils/native.rs;
 * `merge_symbolicator_minidump_response` in sentry, src/sentry/lang/native/processing.py.
 */
export function applyCrash(event: Sent, facts: CrashFacts): Sent {
  if (facts.kind === 'unreadable') {
    return {
      ...event,
      platform: event.platform ?? 'native',
      level: event.level ?? 'fatal',
      exception: { values: [UNREADABLE] },
    };
  }
  const { images, threads, timestamp } = facts;
  const said = facts.event;
  const merged: Record<string, unknown> = { ...said, ...withoutNulls(event) };
  merged.platform = event.platform ?? said.platform ?? 'native';
  merged.level = event.level ?? said.level ?? 'fatal';
  merged.timestamp = event.timestamp ?? timestamp ?? undefined;
  merged.exception = { values: [facts.exception] };
  if (threads.length > 0) merged.threads = { values: threads };
  if (images.length > 0) merged.debug_meta = { ...objectOf(event.debug_meta), images };
  merged.contexts = mergeContexts(facts.contexts, objectOf(event.contexts));
  for (const name of ['user', 'extra'] as const) {
    if (isSource(said[name]) || isSource(event[name])) {
      merged[name] = { ...objectOf(said[name]), ...withoutNulls(objectOf(event[name])) };
    }
  }
  // Of equal keys the last one counts.
  merged.tags = [...pairsOf(said.tags), ...pairsOf(event.tags)];
  merged.breadcrumbs = [...listOf(event.breadcrumbs), ...listOf(said.breadcrumbs)];
  return merged;
}

/** Stands for a dump that could not be read, as in the reference. */
const UNREADABLE = {
  type: 'Minidump',
  value: 'Invalid Minidump',
  mechanism: { type: 'minidump', handled: false, synthetic: true },
};

/** Says on the event's page why a dump could not be read; null when it could. */
export const problemOfCrash = (facts: CrashFacts): ProcessingError | null =>
  facts.kind === 'unreadable' ? { type: 'invalid_minidump', name: 'minidump', reason: facts.reason } : null;

/** Field by field: the SDK knows more of the device than the dump. */
function mergeContexts(dump: Readonly<Record<string, Sent>>, sent: Sent): Record<string, unknown> {
  const contexts: Record<string, unknown> = { ...sent };
  for (const [name, context] of Object.entries(dump)) {
    contexts[name] = { ...context, ...withoutNulls(objectOf(sent[name])) };
  }
  return contexts;
}

const objectOf = (value: unknown): Sent => (isSource(value) ? value : {});

const withoutNulls = (value: Sent): Sent =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));

/** `{values: […]}` or a bare list. */
function listOf(value: unknown): readonly unknown[] {
  const list = isSource(value) ? value.values : value;
  return Array.isArray(list) ? list : [];
}

/** Tags as pairs, from either of their forms. */
function pairsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isSource(value) ? Object.entries(value) : [];
}
