import type { ExceptionValue, NormalizedEvent } from '#protocol/event.ts';
import { compileGlobs } from '../patterns/glob.ts';

/**
 * Whether a pattern matches the message, or an exception as `Type: value`. null when there is no pattern.
 * Source: relay-filter/src/error_messages.rs
 */
export function compileErrorMessages(
  patterns: readonly string[],
): ((event: NormalizedEvent) => boolean) | null {
  const matches = compileGlobs(patterns);
  if (matches === null) return null;
  return (event) => {
    const message = event.logentry?.formatted ?? event.logentry?.message;
    if (message && matches(message)) return true;
    return event.exception?.values.some((exception) => matches(lineOf(exception))) ?? false;
  };
}

const lineOf = ({ type, value }: ExceptionValue): string => [type, value].filter(Boolean).join(': ');

/** Type and value that an exception must both have; null: whichever. */
type Shape = readonly [type: string | null, value: string];

/** Server and browser rendered something different. Source: sentry, src/sentry/ingest/inbound_filters.py */
const HYDRATION: readonly Shape[] = [
  [null, '*https://reactjs.org/docs/error-decoder.html?invariant={418,419,421,422,423,425}*'],
  [null, '*https://react.dev/errors/{418,419,421,422,423,425}*'],
];

/** A part of the app that a new deploy removed. Source: sentry, src/sentry/ingest/inbound_filters.py */
const CHUNK_LOAD: readonly Shape[] = [
  ['ChunkLoadError', 'Loading chunk *'],
  ['*Uncaught *', 'ChunkLoadError: Loading chunk *'],
  ['ChunkLoadError', 'Failed to load chunk *'],
  ['*Uncaught *', 'ChunkLoadError: Failed to load chunk *'],
  ['Error', 'Uncaught (in promise): ChunkLoadError*'],
];

export const isHydrationError = compileShapes(HYDRATION);
export const isChunkLoadError = compileShapes(CHUNK_LOAD);

function compileShapes(shapes: readonly Shape[]): (event: NormalizedEvent) => boolean {
  const compiled = shapes.map(([type, value]) => ({
    type: type === null ? null : compileGlobs([type]),
    value: compileGlobs([value]),
  }));
  return (event) =>
    event.exception?.values.some((exception) =>
      compiled.some(
        ({ type, value }) =>
          (type === null || type(exception.type ?? '')) && value?.(exception.value ?? '') === true,
      ),
    ) ?? false;
}
