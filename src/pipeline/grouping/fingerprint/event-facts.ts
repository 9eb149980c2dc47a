import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { platformFamily } from '../platform-family.ts';
import type { Fact } from './compile-fingerprint-matcher.ts';
import { eventFrames } from './event-frames.ts';
import type { FingerprintGroup } from './fingerprint-keys.ts';
import type { FingerprintKey } from './fingerprint-types.ts';
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
