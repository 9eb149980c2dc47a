import type { Frame, NormalizedEvent, Thread } from '#protocol/event.ts';
import { platformFamily } from '../platform-family.ts';
import type { Fact } from './compile-fingerprint-matcher.ts';
import type { FingerprintGroup, FingerprintKey } from './fingerprint-types.ts';
import { sdkFamily } from './sdk-family.ts';

/** The facts that a key has on one thing: only paths and messages have several, of which any may fit. */
export type FactsOf = (key: FingerprintKey) => readonly Fact[];

/** What rules can ask of an event, looked up once for all of them. */
export class EventFacts {
  readonly #event: NormalizedEvent;
  readonly #things = new Map<FingerprintGroup, readonly FactsOf[]>();

  constructor(event: NormalizedEvent) {
    this.#event = event;
  }

  /** The things of a group: exceptions, frames in their order, threads; one for what an event has only once. */
  thingsOf(group: FingerprintGroup): readonly FactsOf[] {
    const known = this.#things.get(group);
    if (known !== undefined) return known;
    const things = this.#find(group);
    this.#things.set(group, things);
    return things;
  }

  #find(group: FingerprintGroup): readonly FactsOf[] {
    const event = this.#event;
    const exceptions = event.exception?.values ?? [];
    switch (group) {
      case 'message': {
        const message = event.logentry?.formatted?.trim();
        const values = exceptions.map(({ value }) => value?.trim() || null);
        return [...(message ? [message] : []), ...values].map((text) => () => [text]);
      }
      case 'log':
        return [(key) => [key === 'level' ? event.level : event.logger || null]];
      case 'exception':
        return exceptions.map(
          ({ type, value }): FactsOf =>
            (key) => [key === 'type' ? (type ?? null) : value?.trim() || null],
        );
      case 'tags':
        return [(key) => [event.tags?.find(([name]) => `tags.${name}` === key)?.[1]?.trim() ?? null]];
      case 'sdk':
        return [() => [sdkFamily(event.sdk?.name ?? null)]];
      case 'family':
        return [() => [platformFamily(event.platform)]];
      case 'release':
        return [() => [asPath(event.release?.trim())]];
      case 'thread':
        return (event.threads?.values ?? []).map(
          (thread): FactsOf =>
            (key) => {
              const value =
                thread[key.slice('thread.'.length) as 'id' | 'name' | 'state' | 'crashed' | 'current'];
              return [typeof value === 'number' ? String(value) : (value ?? null)];
            },
        );
      case 'frame':
        return eventFrames(event).map(frameFacts);
    }
  }
}

function frameFacts(frame: Frame): FactsOf {
  const { abs_path: absolute, filename } = frame;
  // Paths are long, and many rules ask for them.
  let paths: readonly Fact[] | null = null;
  return (key) => {
    switch (key) {
      case 'function':
        return [frame.function || '<unknown>'];
      case 'module':
        return [frame.module ?? null];
      case 'package':
        return [asPath(frame.package)];
      case 'app':
        return [frame.in_app ?? null];
      default:
        paths ??= [...new Set([asPath(absolute || filename), asPath(filename)])];
        return paths;
    }
  };
}

const asPath = (text: string | null | undefined): string | null =>
  text ? text.toLowerCase().replaceAll('\\', '/') : null;

/** Frames that fingerprint rules look at, those nearest to the crash. */
const FRAMES_MAX = 1_000;

/** The frames that rules look at: those of all exceptions, else of the event's stack trace, else of its one thread. */
function eventFrames(event: NormalizedEvent): readonly Frame[] {
  const ofExceptions = event.exception?.values.flatMap(({ stacktrace }) => stacktrace?.frames ?? []) ?? [];
  if (ofExceptions.length > 0) return ofExceptions.slice(-FRAMES_MAX);
  const own = event.stacktrace?.frames ?? [];
  return own.length > 0 ? own : (crashingThread(event.threads?.values ?? [])?.stacktrace?.frames ?? []);
}

/** The only thread, else the only one that crashed, else the only one that ran. */
function crashingThread(threads: readonly Thread[]): Thread | null {
  if (threads.length === 1) return threads[0] ?? null;
  for (const flag of ['crashed', 'current'] as const) {
    const flagged = threads.filter((thread) => thread[flag]);
    if (flagged.length === 1) return flagged[0] ?? null;
  }
  return null;
}

/** Where it crashed: of the last exception the user's own frame nearest to the crash, else the frame nearest to it. */
export function crashFrame(event: NormalizedEvent): Frame | null {
  const frames =
    event.exception?.values.at(-1)?.stacktrace?.frames ?? event.stacktrace?.frames ?? onlyThreadFrames(event);
  return frames.findLast(({ in_app: inApp }) => inApp) ?? frames.at(-1) ?? null;
}

function onlyThreadFrames({ threads }: NormalizedEvent): readonly Frame[] {
  const [thread, ...others] = threads?.values ?? [];
  return others.length === 0 ? (thread?.stacktrace?.frames ?? []) : [];
}
