import { hasSystemFrames, serializeStacktrace } from '#app/api/0/shapes/stack-trace.ts';
import type {
  Breadcrumb,
  ExceptionValue,
  LogEntry,
  NormalizedEvent,
  RequestInfo,
  Stacktrace,
  Thread,
} from '#protocol/event.ts';

export type EventEntry = { type: string; data: unknown };

/**
 * The parts of an event as Sentry's API returns them, in `entries`; one for each part that the event has.
 * Source of the shapes: https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/
 */
export function serializeEventEntries(event: NormalizedEvent): readonly EventEntry[] {
  const exceptions = event.exception?.values ?? [];
  const threads = event.threads?.values ?? [];
  const breadcrumbs = event.breadcrumbs?.values ?? [];
  const entries: (EventEntry | null)[] = [
    event.logentry ? entry('message', serializeMessage(event.logentry)) : null,
    exceptions.length > 0 ? entry('exception', serializeExceptions(exceptions)) : null,
    event.stacktrace ? entry('stacktrace', serializeStacktrace(event.stacktrace)) : null,
    threads.length > 0 ? entry('threads', { values: threads.map(serializeThread) }) : null,
    breadcrumbs.length > 0 ? entry('breadcrumbs', { values: breadcrumbs.map(serializeBreadcrumb) }) : null,
    event.request ? entry('request', serializeRequest(event.request)) : null,
    event.csp ? entry('csp', event.csp) : null,
    event.debug_meta ? entry('debugmeta', event.debug_meta) : null,
  ];
  return entries.filter((candidate) => candidate !== null);
}

const entry = (type: string, data: unknown): EventEntry => ({ type, data });

function serializeMessage(logentry: LogEntry) {
  return {
    message: logentry.message ?? null,
    formatted: logentry.formatted ?? logentry.message ?? null,
    params: logentry.params ?? [],
  };
}

function serializeExceptions(values: readonly ExceptionValue[]) {
  return {
    values: values.map(serializeException),
    excOmitted: null,
    hasSystemFrames: values.some((value) => value.stacktrace && hasSystemFrames(value.stacktrace)),
  };
}

function serializeException(exception: ExceptionValue) {
  return {
    type: exception.type ?? null,
    value: exception.value ?? null,
    module: exception.module ?? null,
    threadId: exception.thread_id ?? null,
    mechanism: exception.mechanism ?? null,
    stacktrace: orNull(exception.stacktrace),
    rawStacktrace: orNull(exception.raw_stacktrace),
  };
}

function serializeThread(thread: Thread) {
  return {
    id: thread.id ?? null,
    name: thread.name ?? null,
    crashed: thread.crashed ?? false,
    current: thread.current ?? false,
    main: thread.main ?? null,
    state: thread.state ?? null,
    heldLocks: null,
    stacktrace: orNull(thread.stacktrace),
    rawStacktrace: null,
  };
}

const orNull = (stacktrace: Stacktrace | null | undefined) =>
  stacktrace ? serializeStacktrace(stacktrace) : null;

function serializeBreadcrumb(breadcrumb: Breadcrumb) {
  const { timestamp } = breadcrumb;
  return {
    timestamp: typeof timestamp === 'number' ? new Date(timestamp * 1_000).toISOString() : null,
    type: breadcrumb.type ?? 'default',
    category: breadcrumb.category ?? null,
    level: breadcrumb.level ?? 'info',
    message: breadcrumb.message ?? null,
    data: breadcrumb.data ?? null,
    event_id: breadcrumb.event_id ?? null,
  };
}

function serializeRequest(request: RequestInfo) {
  return {
    method: request.method ?? null,
    url: request.url ?? null,
    query: request.query_string ?? [],
    fragment: request.fragment ?? null,
    data: request.data ?? null,
    headers: request.headers ?? [],
    cookies: request.cookies ?? [],
    env: request.env ?? null,
    inferredContentType: request.inferred_content_type ?? null,
    apiTarget: request.api_target ?? null,
  };
}
