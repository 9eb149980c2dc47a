import type { Source } from './field-reader.ts';

/** Names of the fields before they had short ones. Source: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/ */
const LEGACY: readonly (readonly [string, string])[] = [
  ['sentry.interfaces.Exception', 'exception'],
  ['sentry.interfaces.Message', 'logentry'],
  ['sentry.interfaces.Stacktrace', 'stacktrace'],
  ['sentry.interfaces.Template', 'template'],
  ['sentry.interfaces.Http', 'request'],
  ['sentry.interfaces.User', 'user'],
  ['sentry.interfaces.Breadcrumbs', 'breadcrumbs'],
  ['sentry.interfaces.Threads', 'threads'],
  ['sentry.interfaces.Contexts', 'contexts'],
  ['sentry.interfaces.DebugMeta', 'debug_meta'],
  ['sentry.interfaces.Csp', 'csp'],
  ['sentry.interfaces.Sdk', 'sdk'],
];

/** The event with its fields under their present names; the same object when it has no old ones. */
export function renameLegacyKeys(event: Source): Source {
  const old = LEGACY.filter(([legacy]) => event[legacy] !== undefined);
  if (old.length === 0) return event;
  const renamed: Record<string, unknown> = { ...event };
  for (const [legacy, current] of old) {
    renamed[current] ??= event[legacy];
  }
  return renamed;
}
