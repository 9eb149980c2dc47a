import type { Scrubber } from '#pipeline/scrub/scrubber.ts';
import { isSymbolicated } from '#pipeline/symbolicate/frame-problem.ts';
import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace, Thread } from '#protocol/event.ts';

type Meta = Readonly<Record<string, unknown>>;
const SOURCE_FIELDS = [
  'filename',
  'abs_path',
  'module',
  'context_line',
  'pre_context',
  'post_context',
] as const;

/** Scrubs only what symbolication added to a scrubbed event: locations and source lines of its frames. */
export function scrubSources(event: NormalizedEvent, scrubber: Scrubber): NormalizedEvent {
  const { event_id, type, level, platform, timestamp, received } = event;
  const brought: NormalizedEvent = {
    event_id,
    type,
    level,
    platform,
    timestamp,
    received,
    ...mapFrames(event, (frame) => (isSymbolicated(frame) ? sourceOf(frame) : {}), bare),
  };
  const scrubbed = scrubber.scrubEvent(brought);
  if (scrubbed === brought) return event;
  const places = [...framesOf(scrubbed)];
  let at = 0;
  const merged = mapFrames(
    event,
    (frame) => ({ ...frame, ...places[at++] }),
    (owner) => owner,
  );
  return {
    ...event,
    ...merged,
    ...(scrubbed._meta ? { _meta: mergeMeta(event._meta ?? {}, scrubbed._meta) } : {}),
  };
}

const sourceOf = (frame: Frame): Frame =>
  Object.fromEntries(SOURCE_FIELDS.flatMap((field) => (field in frame ? [[field, frame[field]]] : [])));

/** Nothing but the stack. */
const bare = <Owner extends ExceptionValue | Thread>({ stacktrace }: Owner): Owner =>
  (stacktrace ? { stacktrace } : {}) as Owner;

function mapFrames(
  event: NormalizedEvent,
  change: (frame: Frame) => Frame,
  changeOwner: <Owner extends ExceptionValue | Thread>(owner: Owner) => Owner,
): Pick<NormalizedEvent, 'exception' | 'threads' | 'stacktrace'> {
  const changeStack = (stacktrace: Stacktrace): Stacktrace => ({
    ...stacktrace,
    frames: stacktrace.frames.map(change),
  });
  const changeAll = <Owner extends ExceptionValue | Thread>(owner: Owner): Owner =>
    changeOwner(owner.stacktrace ? { ...owner, stacktrace: changeStack(owner.stacktrace) } : owner);
  return {
    ...(event.exception ? { exception: { values: event.exception.values.map(changeAll) } } : {}),
    ...(event.threads ? { threads: { values: event.threads.values.map(changeAll) } } : {}),
    ...(event.stacktrace ? { stacktrace: changeStack(event.stacktrace) } : {}),
  };
}

/** In the order of `mapFrames`. */
function* framesOf(event: NormalizedEvent): Generator<Frame> {
  for (const { stacktrace } of event.exception?.values ?? []) yield* stacktrace?.frames ?? [];
  for (const { stacktrace } of event.threads?.values ?? []) yield* stacktrace?.frames ?? [];
  yield* event.stacktrace?.frames ?? [];
}

/** Marks of the new text take the place of those of the old one. */
function mergeMeta(known: Meta, added: Meta): Meta {
  const merged: Record<string, unknown> = { ...known };
  for (const [key, value] of Object.entries(added)) {
    const before = Object.hasOwn(known, key) ? known[key] : undefined;
    merged[key] = key !== '' && isTree(before) && isTree(value) ? mergeMeta(before, value) : value;
  }
  return merged;
}

const isTree = (value: unknown): value is Meta =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
