import type { NormalizedEvent, Stacktrace } from '#protocol/event.ts';

/** Every stack of an event. */
export const stacksOf = (event: NormalizedEvent): readonly Stacktrace[] =>
  [
    ...(event.exception?.values ?? []).map(({ stacktrace }) => stacktrace),
    event.stacktrace,
    ...(event.threads?.values ?? []).map(({ stacktrace }) => stacktrace),
  ].flatMap((stack) => stack ?? []);
