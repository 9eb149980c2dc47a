import { deflateSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import type { RecordItem } from '#ingest/spool-record.ts';
import { buildUnrealReport, UNREAL_CONTEXT } from '#pipeline/fixtures/unreal-fixture.ts';
import { newEventId } from './envelope.ts';
import { type Planter, plantIn, shapesOf } from './planted-secrets.ts';
import { makeRichEvent } from './rich-event.ts';

/** One request, and the categories of which something must be stored. */
export type SecretRecord = {
  eventId: string | null;
  items: readonly RecordItem[];
  counts: readonly string[];
};

/** Ids, times, numbers and words of which there are only a few: nothing else is taken in their place. */
const KEPT =
  /(?:_id|timestamp|\.sid|\.started|\.level|\.type|\.status|\.platform|Id|UnixNano|\.duration|\.unit|\.schedule\..*|\.(?:error|trace)_ids\..*|\.version|debug_id|code_id|image_addr|image_size|\.release|\.environment)$/;
const FREE =
  /^$|\.(?:(?<!_meta\.)extra|own|device|os|runtime|app|trace|vars|data|data\.value|params|tags|headers|cookies|env|attributes|feedback|response|user|geo)$/;

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const span16 = (): string => newEventId().slice(0, 16);

/** Makes requests of every type that is stored, with a secret in every place of theirs. */
export const SECRET_RECORDS: Readonly<Record<string, (planter: Planter, nowMs: number) => SecretRecord>> = {
  event: (planter) => {
    const event = eventTemplate(planter);
    return request('error', 'event', event, event.event_id as string);
  },
  transaction: (planter, nowMs) => {
    const { exception: _, threads: __, logentry: ___, ...event } = eventTemplate(planter);
    const eventId = newEventId();
    const span = plant(planter, 'span', {
      description: 'd',
      op: 'o',
      origin: 'o',
      data: {},
      tags: {},
    });
    const payload = {
      ...event,
      event_id: eventId,
      type: 'transaction',
      transaction: planter.any('transaction.name'),
      contexts: {
        ...(event.contexts as object),
        trace: {
          ...plant(planter, 'trace', { op: 'o', origin: 'o', data: {}, description: 'd' }),
          ...traceIds(),
        },
      },
      transaction_info: { source: planter.any('transaction_info') },
      measurements: { lcp: { value: 1, unit: 'millisecond' } },
      start_timestamp: nowMs / 1000 - 2,
      timestamp: nowMs / 1000 - 1,
      spans: [
        {
          ...span,
          ...traceIds(),
          status: 'ok',
          start_timestamp: nowMs / 1000 - 2,
          timestamp: nowMs / 1000 - 1,
        },
        // Slow enough for a performance issue.
        {
          ...traceIds(),
          op: 'db',
          description: `SELECT ${planter.any('span.query')} FROM carts`,
          start_timestamp: nowMs / 1000 - 2,
          timestamp: nowMs / 1000 - 1,
        },
      ],
    };
    return request('transaction', 'transaction', payload, eventId);
  },
  span: (planter, nowMs) => {
    const times = {
      start_timestamp: nowMs / 1000 - 2,
      timestamp: nowMs / 1000 - 1,
      end_timestamp: nowMs / 1000 - 1,
    };
    const old = plant(planter, 'span v1', {
      description: 'd',
      op: 'o',
      origin: 'o',
      status: 'ok',
      exclusive_time: 1,
      data: { 'http.url': 'u', 'db.statement': 's' },
      tags: {},
      sentry_tags: { a: 'b' },
    });
    const own = {
      ...traceIds(),
      ...times,
      name: planter.any('span v2.name'),
      status: 'ok',
      attributes: typed(planter, 'span v2.attributes', [
        'sentry.op',
        'sentry.origin',
        'url.full',
        'db.query.text',
        'x',
      ]),
      links: [{ ...traceIds(), attributes: typed(planter, 'span v2.links', ['x']) }],
    };
    return {
      eventId: null,
      items: [
        { type: 'span', payload: json({ ...old, ...traceIds(), ...times }) },
        container('span', 'span.v2', [own]),
      ],
      counts: ['span'],
    };
  },
  otlp_traces: (planter) => {
    const attributes = otlp(planter, 'otlp traces');
    const span = {
      ...otlpIds(),
      name: planter.any('otlp.name'),
      kind: 2,
      ...otlpTimes(),
      attributes,
      events: [{ name: planter.any('otlp.event'), attributes }],
      links: [{ ...otlpIds(), attributes, traceState: planter.any('otlp.link.state') }],
      status: { code: 2, message: planter.any('otlp.status') },
    };
    const scope = { name: planter.any('otlp.scope'), version: planter.any('otlp.scope.version'), attributes };
    return request(
      'span',
      'otlp_traces',
      { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans: [span] }] }] },
      null,
      {
        contentType: 'application/json',
      },
    );
  },
  log: (planter, nowMs) => ({
    eventId: null,
    items: [
      container('log', 'log', [
        {
          timestamp: nowMs / 1000,
          trace_id: newEventId(),
          level: 'info',
          body: planter.any('log.body'),
          attributes: typed(planter, 'log', [
            'sentry.message.template',
            'sentry.message.parameter.0',
            'server.address',
            'x',
          ]),
        },
      ]),
    ],
    counts: ['log_item'],
  }),
  otlp_logs: (planter) => {
    const attributes = otlp(planter, 'otlp logs');
    const logRecord = {
      ...otlpTimes(),
      severityNumber: 9,
      severityText: planter.any('otlp.severity'),
      eventName: planter.any('otlp.event name'),
      body: { stringValue: planter.any('otlp.body') },
      attributes,
      ...otlpIds(),
    };
    const scope = { name: planter.any('otlp.scope'), attributes };
    return request(
      'log_item',
      'otlp_logs',
      { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ scope, logRecords: [logRecord] }] }] },
      null,
      {
        contentType: 'application/json',
      },
    );
  },
  otlp_metrics: (planter) => {
    const attributes = otlp(planter, 'otlp metrics');
    const metric = {
      name: planter.any('otlp.metric'),
      description: planter.any('otlp.metric description'),
      unit: planter.any('otlp.metric unit'),
      sum: { aggregationTemporality: 1, dataPoints: [{ ...otlpTimes(), asDouble: 1, attributes }] },
    };
    const scope = { name: planter.any('otlp.scope'), attributes };
    return request(
      'trace_metric',
      'otlp_metrics',
      { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ scope, metrics: [metric] }] }] },
      null,
      { contentType: 'application/json' },
    );
  },
  trace_metric: (planter, nowMs) => ({
    eventId: null,
    items: [
      container('trace_metric', 'trace-metric', [
        {
          timestamp: nowMs / 1000,
          trace_id: newEventId(),
          name: planter.known('metric.name'),
          type: 'counter',
          value: 1,
          unit: planter.known('metric.unit'),
          attributes: typed(planter, 'metric', ['x', 'sentry.release', 'sentry.environment']),
        },
      ]),
    ],
    counts: ['trace_metric'],
  }),
  statsd: (planter) => ({
    eventId: null,
    items: [
      {
        type: 'statsd',
        payload: Buffer.from(
          `shop.${planter.name('statsd.name')}:1|c|#a:${planter.name('statsd.tag')},token:${planter.bare('statsd.token')}\nplain:1|c|#b:c\n`,
        ),
      },
    ],
    counts: ['statsd'],
  }),
  session: (planter, nowMs) =>
    request('session', 'session', {
      sid: newEventId(),
      did: planter.any('session.did'),
      started: new Date(nowMs).toISOString(),
      status: 'ok',
      attrs: sessionAttributes(planter),
    }),
  sessions: (planter, nowMs) =>
    request('session', 'sessions', {
      aggregates: [{ started: new Date(nowMs).toISOString(), exited: 1, did: planter.any('sessions.did') }],
      attrs: sessionAttributes(planter),
    }),
  check_in: (planter) =>
    request('monitor', 'check_in', {
      check_in_id: newEventId(),
      monitor_slug: planter.known('monitor.slug'),
      environment: planter.bare('x') && planter.known('monitor.environment').slice(0, 64),
      status: 'ok',
      monitor_config: {
        schedule: { type: 'crontab', value: planter.known('monitor.schedule') },
        timezone: planter.any('monitor.timezone'),
        owner: planter.any('monitor.owner'),
      },
    }),
  feedback: (planter, nowMs) => {
    const feedback = plant(planter, 'feedback', {
      message: 'm',
      name: 'n',
      contact_email: 'e',
      url: 'u',
      source: 's',
    });
    const eventId = newEventId();
    const payload = {
      ...eventTemplate(planter),
      event_id: eventId,
      timestamp: nowMs / 1000,
      contexts: { feedback },
    };
    return request('feedback', 'feedback', payload, eventId);
  },
  user_report: (planter) => {
    const eventId = newEventId();
    const payload = {
      event_id: eventId,
      ...plant(planter, 'report', { name: 'n', email: 'e', comments: 'c' }),
    };
    return request('user_report_v2', 'user_report', payload, eventId);
  },
  attachment: (planter) => {
    const eventId = newEventId();
    return {
      eventId,
      items: [
        { type: 'event', payload: json({ message: 'with files' }) },
        file('a.json', 'application/json', json(shapesOf(planter, 'json file'))),
        file(
          'server.log',
          'text/plain',
          textFile(planter, 'log file', (text) => Buffer.from(text)),
        ),
        file(
          'wide.log',
          'text/plain',
          textFile(planter, 'wide file', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
        ),
        file(
          'latin.txt',
          'text/plain',
          textFile(planter, 'latin file', (text) => Buffer.from(`caf\u00e9 ${text}`, 'latin1')),
        ),
        file(`${planter.name('file name')}.txt`, planter.known('content type'), Buffer.from('x')),
      ],
      counts: ['attachment', 'error'],
    };
  },
  replay_event: (planter, nowMs) => replay(planter, nowMs, [recording(planter, 0, true)]),
  replay_recording: (planter, nowMs) => replay(planter, nowMs, [recording(planter, 0, false)]),
  replay_video: (planter, nowMs) => {
    const eventId = newEventId();
    const parts = {
      replay_event: json(replayEvent(planter, nowMs, eventId)),
      replay_recording: recording(planter, 0, true).payload,
      replay_video: Buffer.alloc(64, 1),
    };
    return { eventId, items: [{ type: 'replay_video', payload: encode(parts) }], counts: ['replay'] };
  },
  profile: (planter) => {
    const eventId = newEventId();
    const payload = {
      version: '1',
      event_id: eventId,
      platform: 'node',
      timestamp: new Date().toISOString(),
      transaction: { name: planter.any('profile.transaction'), id: newEventId(), trace_id: newEventId() },
      ...profileBody(planter, { elapsed_since_start_ns: '5' }, { elapsed_since_start_ns: '900000' }),
    };
    return request('profile', 'profile', payload, eventId);
  },
  profile_chunk: (planter, nowMs) => chunk(planter, nowMs, 'profile_chunk'),
  profile_chunk_ui: (planter, nowMs) => chunk(planter, nowMs, 'profile_chunk_ui'),
  security: (planter) => request('security', 'security', cspReport(planter), newEventId()),
  raw_security: (planter) =>
    request(
      'security',
      'raw_security',
      {
        'expect-ct-report': plant(planter, 'expect-ct', {
          'date-time': '2026-11-23T10:00:00Z',
          hostname: 'h',
          scheme: 'https',
          port: 443,
          'served-certificate-chain': ['c'],
          'validated-certificate-chain': ['c'],
          scts: [],
        }),
      },
      newEventId(),
      {
        environment: planter.known('report.environment').slice(0, 60),
        release: planter.known('report.release'),
      },
    ),
  nel: (planter) =>
    request('security', 'nel', [
      {
        type: 'network-error',
        age: 5,
        url: `https://shop.example/a?token=${planter.bare('nel.url')}`,
        user_agent: planter.any('nel.agent'),
        body: {
          ...plant(planter, 'nel', { referrer: 'r', method: 'GET', protocol: 'h2', server_ip: 's' }),
          phase: 'connection',
          type: 'tcp.timed_out',
          elapsed_time: 1,
          sampling_fraction: 1,
          status_code: 0,
        },
      },
    ]),
  unreal_report: (planter) => {
    const context = UNREAL_CONTEXT.replace(
      'I opened the chest',
      planter.any('unreal.description').replaceAll(/[<&]/g, '_'),
    ).replace('Access violation', planter.name('unreal.message'));
    const files = [
      { name: 'CrashContext.runtime-xml', content: Buffer.from(context) },
      { name: 'Shop.log', content: textFile(planter, 'unreal.log', (text) => Buffer.from(text)) },
    ];
    const payload = deflateSync(buildUnrealReport(files));
    return { eventId: newEventId(), items: [{ type: 'unreal_report', payload }], counts: ['error'] };
  },
};

function plant(planter: Planter, place: string, template: object): Record<string, unknown> {
  const planted = plantIn(template, planter, KEPT, FREE, undefined, `.${place}`);
  return planted as Record<string, unknown>;
}

const request = (
  category: string,
  type: string,
  payload: unknown,
  eventId: string | null = null,
  facts: RecordItem['facts'] = {},
): SecretRecord => ({ eventId, items: [{ type, payload: json(payload), facts }], counts: [category] });

const container = (type: string, content: string, elements: readonly unknown[]): RecordItem => ({
  type,
  payload: json({ items: elements }),
  facts: { itemCount: elements.length, contentType: `application/vnd.sentry.items.${content}+json` },
});

const traceIds = () => ({ trace_id: newEventId(), span_id: span16() });
const otlpIds = () => ({ traceId: newEventId(), spanId: span16() });
const otlpTimes = () => {
  const nanos = `${Date.now()}000000`;
  return { startTimeUnixNano: nanos, endTimeUnixNano: nanos, timeUnixNano: nanos };
};

function typed(planter: Planter, place: string, names: readonly string[]) {
  const text = (value: string) => ({ type: 'string', value });
  return {
    ...Object.fromEntries(names.map((name) => [name, text(planter.any(`${place}.${name}`))])),
    list: { type: 'array', value: [planter.any(`${place}.list`), 'run'] },
    password: text(planter.bare(`${place}.password`)),
    [planter.known(`${place}.name`)]: text('x'),
  };
}

function otlp(planter: Planter, place: string) {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const list = {
    arrayValue: { values: [{ stringValue: planter.any(`${place}.list`) }, { stringValue: 'run' }] },
  };
  const map = {
    kvlistValue: {
      values: [text('password', planter.bare(`${place}.map`)), text('a', planter.any(`${place}.map`))],
    },
  };
  return [
    text('service.name', planter.known(`${place}.service`)),
    text('x', planter.any(`${place}.x`)),
    text('api_key', planter.bare(`${place}.api_key`)),
    text(planter.known(`${place}.name`), 'x'),
    { key: 'list', value: list },
    { key: 'map', value: map },
  ];
}

const sessionAttributes = (planter: Planter) => ({
  release: planter.name('session.release'),
  environment: planter.name('session.environment').slice(0, 60),
  user_agent: planter.any('session.agent'),
});

/** Every interface that an event has. */
function eventTemplate(planter: Planter): Record<string, unknown> {
  const frame = {
    function: 'f',
    module: 'm',
    filename: 'src/f.ts',
    abs_path: 'https://shop.example/f.ts',
    package: 'p',
    lineno: 1,
    context_line: 'c',
    pre_context: ['c', 'c'],
    post_context: ['c'],
    vars: {},
  };
  const template = {
    ...makeRichEvent('secrets'),
    logger: 'l',
    culprit: 'c',
    dist: 'd',
    release: 'r',
    environment: 'e',
    fingerprint: ['{{ default }}', 'f'],
    modules: { [planter.known('modules.name')]: 'v' },
    tags: { a: 'b' },
    extra: {},
    user: { id: 'i', email: 'e', username: 'u', name: 'n', data: {} },
    logentry: { formatted: 'm', message: 'm %s', params: ['p', 'q'] },
    request: {
      url: 'u',
      method: 'GET',
      query_string: [['a', 'b']],
      headers: [
        ['Referer', 'https://shop.example'],
        ['X-Own', 'x'],
      ],
      cookies: [['a', 'b']],
      data: {},
      env: { REMOTE_ADDR: '198.51.100.4', own: 'x' },
      fragment: 'f',
    },
    contexts: {
      own: {},
      device: { model: 'm', name: 'n' },
      os: { name: 'n' },
      app: { app_name: 'n' },
      response: { headers: { a: 'b' }, data: {} },
      trace: { ...traceIds(), op: 'o', data: {}, origin: 'o' },
    },
    breadcrumbs: {
      values: [
        { category: 'c', message: 'm', data: {} },
        { message: 'n', data: { arguments: ['a', 'obj'] } },
      ],
    },
    exception: {
      values: [
        {
          type: 'E',
          value: 'v',
          module: 'm',
          mechanism: { type: 'generic', description: 'd', help_link: 'h', data: {}, meta: { a: 'b' } },
          stacktrace: { frames: [frame], registers: { rax: '0x1' } },
        },
      ],
    },
    threads: { values: [{ id: 1, name: 't', stacktrace: { frames: [frame] } }] },
    template: { filename: 't', abs_path: 't', context_line: 'c', lineno: 1 },
    sdk: { name: 'n', version: '1', integrations: ['i'], packages: [{ name: 'p', version: 'v' }] },
    debug_meta: {
      images: [{ type: 'sourcemap', code_file: 'https://shop.example/f.js', debug_id: newEventId() }],
    },
    _meta: { extra: { a: { '': { val: 'v', err: ['e'], rem: [['r', 's', 0, 1]] } } } },
    unknown: { deep: ['u'] },
  };
  const type = planter.any('exception.type');
  const planted = plantIn(template, planter, KEPT, FREE) as typeof template;
  // These have a shape of their own, or may be refused: what was sent is kept among the errors then.
  const [first] = planted.exception.values;
  return {
    ...planted,
    exception: { values: [{ ...first, type }] },
    release: planter.name('release'),
    environment: planter.any('environment'),
    dist: planter.any('dist'),
    level: planter.any('level'),
    invalid: undefined,
  };
}

const cspReport = (planter: Planter) => ({
  'csp-report': plant(planter, 'csp', {
    'document-uri': 'u',
    referrer: 'r',
    'violated-directive': 'v',
    'original-policy': 'p',
    'blocked-uri': 'u',
    'source-file': 'f',
    'script-sample': 's',
    disposition: 'enforce',
  }),
});

const file = (filename: string, contentType: string, payload: Uint8Array): RecordItem => ({
  type: 'attachment',
  payload,
  facts: { filename, contentType },
});

function textFile(planter: Planter, place: string, encodeText: (text: string) => Buffer): Buffer {
  const lines = Array.from(
    { length: 40 },
    (_, index) => `12:00:${index} INFO request done ${planter.any(`${place} ${index}`)} in 5 ms`,
  );
  return encodeText(
    `[2026-11-23] starting\n${lines.join('\n')}\npassword: ${planter.bare(`${place}.password`)}\n`,
  );
}

const replayEvent = (planter: Planter, nowMs: number, replayId: string) => ({
  ...eventTemplate(planter),
  event_id: replayId,
  replay_id: replayId,
  type: 'replay_event',
  replay_type: planter.known('replay.type'),
  segment_id: 0,
  timestamp: nowMs / 1000,
  replay_start_timestamp: nowMs / 1000 - 5,
  urls: [
    planter.any('replay.urls.0'),
    planter.any('replay.urls.1'),
    `https://e.com/?token=${planter.bare('replay.urls.2')}`,
  ],
  error_ids: [],
  trace_ids: [],
});

function replay(planter: Planter, nowMs: number, segments: readonly RecordItem[]): SecretRecord {
  const replayId = newEventId();
  const event = { type: 'replay_event', payload: json(replayEvent(planter, nowMs, replayId)) };
  return { eventId: replayId, items: [event, ...segments], counts: ['replay'] };
}

function recording(planter: Planter, segment: number, isCompressed: boolean): RecordItem {
  const any = (place: string) => planter.any(`recording.${place}`);
  const text = {
    id: 5,
    type: 3,
    textContent: any('text'),
  };
  const input = {
    id: 6,
    type: 2,
    tagName: 'input',
    attributes: { name: 'password', value: planter.bare('recording.input'), title: any('title') },
    childNodes: [text],
  };
  const meta = {
    id: 7,
    type: 2,
    tagName: 'meta',
    attributes: { name: 'csrf-token', content: planter.bare('recording.meta') },
  };
  const events = [
    {
      type: 4,
      timestamp: Date.now(),
      data: { href: `https://e.com/?token=${planter.bare('recording.href')}`, width: 1 },
    },
    { type: 2, timestamp: Date.now(), data: { node: { id: 1, type: 0, childNodes: [input, meta] } } },
    {
      type: 5,
      timestamp: Date.now(),
      data: { tag: 'breadcrumb', payload: shapesOf(planter, 'recording.breadcrumb') },
    },
    {
      type: 5,
      timestamp: Date.now(),
      data: {
        tag: 'performanceSpan',
        payload: {
          description: any('description'),
          data: {
            request: {
              headers: { authorization: planter.bare('recording.authorization') },
              body: any('body'),
            },
          },
        },
      },
    },
  ];
  const body = json(events);
  const payload = Buffer.concat([
    Buffer.from(`{"segment_id":${segment}}\n`),
    isCompressed ? deflateSync(body) : body,
  ]);
  return { type: 'replay_recording', payload };
}

const profileBody = (planter: Planter, ...samples: readonly object[]) => ({
  release: planter.known('profile.release'),
  environment: planter.known('profile.environment'),
  device: { model: planter.any('profile.device') },
  runtime: { name: planter.any('profile.runtime') },
  profile: {
    samples: samples.map((sample) => ({ stack_id: 0, thread_id: '0', ...sample })),
    stacks: [[0]],
    frames: [{ function: planter.any('profile.function'), filename: planter.any('profile.file'), lineno: 1 }],
    thread_metadata: { 0: { name: planter.any('profile.thread') } },
  },
});

const chunk = (planter: Planter, nowMs: number, type: string): SecretRecord =>
  request(
    'profile_chunk',
    type,
    {
      profiler_id: newEventId(),
      chunk_id: newEventId(),
      version: '2',
      platform: 'node',
      client_sdk: { name: planter.any('chunk.sdk'), version: '1' },
      ...profileBody(planter, { timestamp: nowMs / 1000 }),
    },
    null,
    { platform: 'node' },
  );
