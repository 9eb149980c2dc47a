import { SPAN } from './record-schema.ts';
import { container, FIXED, json, leaf, list, pairs, type SchemaNode } from './schema-node.ts';
import { VALUE_TYPE } from './value-types.ts';

/*
 * Which fields of an event hold private data, after the `pii` attributes in relay-event-schema/src/protocol/*.rs, with
 * these differences: tags, addresses of requests and messages of exceptions are searched for patterns, as they hold
 * secrets as often as other fields do; contexts that SDKs fill are searched by names of fields.
 */

const full = json('full');

const frame = container(
  {
    vars: full,
    filename: leaf('secrets', { pii: 'maybe', shape: 'path' }),
    abs_path: leaf('secrets', { pii: 'maybe', shape: 'path' }),
    module: leaf('secrets', { pii: 'maybe' }),
    package: leaf('secrets', { pii: 'maybe' }),
    context_line: leaf('none', { pii: 'maybe' }),
    pre_context: json('none', { pii: 'maybe', empty: 'list' }),
    post_context: json('none', { pii: 'maybe', empty: 'list' }),
  },
  { types: VALUE_TYPE.frame, empty: 'map' },
);

const stacktrace = container(
  { frames: list(frame), registers: json('secrets', { pii: 'maybe' }) },
  { types: VALUE_TYPE.stack },
);

const mechanism = container({ description: leaf('keyed'), data: full });

const error = container(
  {
    value: leaf('quiet'),
    mechanism,
    stacktrace,
    raw_stacktrace: stacktrace,
  },
  { types: VALUE_TYPE.error, empty: 'map' },
);

const thread = container(
  { name: leaf('secrets', { pii: 'maybe' }), stacktrace, raw_stacktrace: stacktrace },
  { types: VALUE_TYPE.thread, empty: 'map' },
);

const breadcrumb = container(
  { message: leaf('full'), data: full },
  { types: VALUE_TYPE.breadcrumb, empty: 'map' },
);

const values = (items: SchemaNode): SchemaNode => container({ values: list(items) });

const userAgent = leaf('secrets', { empty: 'text' });

const request = container(
  {
    url: leaf('quiet', { pii: 'maybe' }),
    data: full,
    query_string: pairs('full'),
    fragment: leaf('full'),
    cookies: pairs('full', { shape: 'cookies' }),
    headers: pairs('full', { fields: new Map([['user-agent', userAgent]]) }),
    env: json('full', { fields: new Map([['REMOTE_ADDR', leaf('full', { isIp: true })]]) }),
  },
  { types: VALUE_TYPE.request },
);

const geo = json('none', { empty: 'null' });

const user = container(
  {
    id: leaf('keyed'),
    email: leaf('keyed'),
    username: leaf('keyed'),
    name: leaf('keyed'),
    ip_address: leaf('keyed', { isIp: true }),
    geo: container(
      { country_code: geo, city: geo, subdivision: geo, region: geo },
      { types: VALUE_TYPE.object },
    ),
    data: full,
  },
  { types: VALUE_TYPE.user },
);

const logentry = container(
  {
    formatted: leaf('text', { types: VALUE_TYPE.message }),
    message: leaf('secrets', { pii: 'maybe', types: VALUE_TYPE.message }),
    params: full,
  },
  { types: VALUE_TYPE.logentry },
);

/** A context whose fields SDKs fill by themselves, where people add their own. */
const known = json('keyed', { pii: 'maybe', empty: 'map' });

const contexts = json('full', {
  pii: 'named',
  sweep: 'none',
  rest: json('full', { empty: 'map' }),
  fields: new Map<string, SchemaNode>([
    ...[
      'app',
      'browser',
      'client_os',
      'cloud_resource',
      'culture',
      'device',
      'gpu',
      'memory_info',
      'monitor',
      'os',
      'ota_updates',
      'performance_score',
      'runtime',
      'spring',
      'threadpool_info',
      'unity',
      'unreal',
    ].map((name) => [name, known] as const),
    ...['profile', 'replay', 'flags', 'reprocessing'].map((name) => [name, FIXED] as const),
    [
      'trace',
      container(
        {
          // Ids of a trace are no data.
          ...Object.fromEntries(
            ['trace_id', 'span_id', 'parent_span_id', 'op', 'status', 'origin', 'type'].map((id) => [
              id,
              FIXED,
            ]),
          ),
          data: full,
          description: leaf('quiet', { pii: 'maybe' }),
          tags: full,
          links: full,
        },
        { rest: json('keyed', { pii: 'maybe' }), empty: 'map' },
      ),
    ],
    [
      'feedback',
      container(
        {
          message: leaf('quiet'),
          url: leaf('quiet', { pii: 'maybe' }),
          name: leaf('secrets', { pii: 'maybe' }),
          contact_email: leaf('secrets', { pii: 'maybe' }),
        },
        { rest: json('keyed', { pii: 'maybe' }), empty: 'map', types: VALUE_TYPE.feedback },
      ),
    ],
    [
      'response',
      json('full', { empty: 'map', fields: new Map([['cookies', json('full', { shape: 'set-cookies' })]]) }),
    ],
  ]),
});

const address = leaf('quiet', { pii: 'true' });

/** The fields of an event, which transactions, replays and feedback share. */
const EVENT_FIELDS: Readonly<Record<string, SchemaNode>> = {
  logentry,
  exception: values(error),
  stacktrace,
  threads: values(thread),
  template: frame,
  breadcrumbs: values(breadcrumb),
  request,
  user,
  contexts,
  tags: pairs('keyed'),
  extra: full,
  server_name: leaf('keyed'),
  culprit: leaf('secrets', { pii: 'maybe' }),
  sdk: container({ client_ip: leaf('full', { isIp: true }) }, { types: VALUE_TYPE.sdk }),
  debug_meta: container({
    images: list(
      container(
        {
          code_file: leaf('secrets', { pii: 'maybe', shape: 'path' }),
          debug_file: leaf('secrets', { pii: 'maybe', shape: 'path' }),
        },
        { empty: 'map' },
      ),
    ),
  }),
  csp: container({
    document_uri: address,
    referrer: address,
    blocked_uri: address,
    source_file: address,
    script_sample: leaf('full'),
  }),
  spans: list(SPAN),
};

export const EVENT = container(EVENT_FIELDS, { types: VALUE_TYPE.event, empty: 'map' });

export const TRANSACTION = container(EVENT_FIELDS, {
  types: VALUE_TYPE.event | VALUE_TYPE.transaction,
  empty: 'map',
});

/** Source: relay-event-schema/src/protocol/replay.rs. */
export const REPLAY = container(
  { ...EVENT_FIELDS, urls: json('quiet', { empty: 'list' }) },
  { types: VALUE_TYPE.replay, empty: 'map' },
);

/** The address that people gave to be answered at stays. Source: relay-event-schema/src/protocol/contexts/user_report_v2.rs. */
export const FEEDBACK = container(
  {
    ...EVENT_FIELDS,
    message: leaf('quiet', { empty: 'text' }),
    comments: leaf('quiet', { empty: 'text' }),
    url: leaf('quiet', { pii: 'maybe' }),
  },
  { types: VALUE_TYPE.feedback | VALUE_TYPE.event, empty: 'map' },
);
