import { arrayOf, type JsonObject as Json, objectOf, objectsOf, withoutNull } from '../json-values.ts';

/**
 * The event as an SDK would send it, from what Sentry's API returns of one. Frames are the symbolicated ones: their source
 * maps stay where they are. null for what is no event.
 * Source of the shapes: https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/
 */
export function eventPayload(event: Json): Json | null {
  if (typeof event.eventID !== 'string') return null;
  const tags = pairs(event.tags);
  const sdk = objectOf(event.sdk);
  const payload: Record<string, unknown> = {
    event_id: event.eventID,
    timestamp: event.dateCreated ?? event.dateReceived,
    received: event.dateReceived,
    platform: event.platform,
    type: event.type,
    level: tagOf(tags, 'level'),
    logger: tagOf(tags, 'logger'),
    environment: tagOf(tags, 'environment'),
    release: tagOf(tags, 'release') ?? objectOf(event.release)?.version,
    dist: event.dist,
    transaction: tagOf(tags, 'transaction') ?? event.culprit,
    server_name: tagOf(tags, 'server_name'),
    tags: tags.filter(([key]) => !OWN_FIELDS.has(key)),
    contexts: event.contexts,
    extra: event.context,
    modules: event.packages,
    user: event.user,
    sdk: sdk && { name: sdk.name, version: sdk.version },
    fingerprint: isCustom(event.fingerprints) ? event.fingerprints : undefined,
  };
  for (const entry of arrayOf(event.entries)) {
    const { type, data } = objectOf(entry) ?? {};
    const values = objectOf(data);
    if (values) Object.assign(payload, readEntry(String(type), values));
  }
  return withoutNull(payload);
}

/** Tags that Sentry makes of fields; as tags they would be there twice. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'level',
  'logger',
  'environment',
  'release',
  'dist',
  'transaction',
  'server_name',
  'user',
]);

function readEntry(type: string, data: Json): Json {
  switch (type) {
    case 'message':
      return {
        logentry: withoutNull({ message: data.message, formatted: data.formatted, params: data.params }),
      };
    case 'exception':
      return {
        exception: { values: objectsOf(data.values).map(readException) },
      };
    case 'threads':
      return { threads: { values: objectsOf(data.values).map(readThread) } };
    case 'stacktrace':
      return { stacktrace: readStacktrace(data) };
    case 'breadcrumbs':
      return {
        breadcrumbs: { values: objectsOf(data.values).map(withoutNull) },
      };
    case 'request':
      return { request: readRequest(data) };
    case 'csp':
    case 'hpkp':
    case 'expectct':
    case 'expectstaple':
      return { [type]: data };
    case 'debugmeta':
      return { debug_meta: data };
    default:
      return {};
  }
}

const readException = (exception: Json): Json =>
  withoutNull({
    type: exception.type,
    value: exception.value,
    module: exception.module,
    thread_id: exception.threadId,
    mechanism: exception.mechanism,
    stacktrace: readStacktrace(objectOf(exception.stacktrace)),
    raw_stacktrace: readStacktrace(objectOf(exception.rawStacktrace)),
  });

const readThread = (thread: Json): Json =>
  withoutNull({
    id: thread.id,
    name: thread.name,
    crashed: thread.crashed,
    current: thread.current,
    main: thread.main,
    state: thread.state,
    stacktrace: readStacktrace(objectOf(thread.stacktrace)),
  });

const readStacktrace = (stacktrace: Json | undefined): Json | undefined =>
  stacktrace &&
  withoutNull({
    frames: objectsOf(stacktrace.frames).map(readFrame),
    frames_omitted: stacktrace.framesOmitted,
    registers: stacktrace.registers,
  });

function readFrame(frame: Json): Json {
  return withoutNull({
    filename: frame.filename,
    abs_path: frame.absPath,
    module: frame.module,
    package: frame.package,
    platform: frame.platform,
    instruction_addr: frame.instructionAddr,
    symbol_addr: frame.symbolAddr,
    addr_mode: frame.addrMode,
    function: frame.function,
    raw_function: frame.rawFunction,
    lineno: frame.lineNo,
    colno: frame.colNo,
    in_app: frame.inApp,
    trust: frame.trust,
    lock: frame.lock,
    vars: frame.vars,
    ...readSourceContext(frame),
  });
}

/** Pairs of line number and text, around the line of the frame. */
function readSourceContext({ context, lineNo }: Json): Json {
  const lines = arrayOf(context).filter((line): line is readonly [number, string] => Array.isArray(line));
  const at = lines.findIndex(([number]) => number === lineNo);
  if (at < 0) return {};
  const texts = lines.map(([, text]) => text);
  return { pre_context: texts.slice(0, at), context_line: texts[at], post_context: texts.slice(at + 1) };
}

const readRequest = (request: Json): Json =>
  withoutNull({
    method: request.method,
    url: request.url,
    query_string: request.query,
    fragment: request.fragment,
    data: request.data,
    headers: request.headers,
    cookies: request.cookies,
    env: request.env,
    inferred_content_type: request.inferredContentType,
    api_target: request.apiTarget,
  });

/** `[{ key, value }]`, as tags are listed. */
function pairs(tags: unknown): readonly (readonly [string, unknown])[] {
  return arrayOf(tags).flatMap((each) => {
    const { key, value } = objectOf(each) ?? {};
    return typeof key === 'string' ? [[key, value] as const] : [];
  });
}

const tagOf = (tags: readonly (readonly [string, unknown])[], key: string): unknown =>
  tags.find(([each]) => each === key)?.[1];

/** What the event was grouped by is listed as hashes unless somebody chose it. */
const isCustom = (fingerprints: unknown): boolean =>
  arrayOf(fingerprints).length > 0 &&
  arrayOf(fingerprints).some((each) => !/^([0-9a-f]{32})$/.test(String(each)));
