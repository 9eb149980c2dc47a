import { newEventId } from './envelope.ts';
import { RUN, TEXTS } from './hostile-texts.ts';

const MEBIBYTE = 1024 * 1024;

export type HostileEvent = { name: string; event: Record<string, unknown> & { event_id: string } };

/** An event with the text in every field, as key and as value. `kind` is its fingerprint: what has the same is one issue. */
function fill(text: string, kind: string): HostileEvent['event'] {
  const data = withKeys({ [text.slice(0, 150)]: text, nested: { [text.slice(0, 100)]: [text, { text }] } });
  const frame = {
    function: text,
    module: text,
    filename: text,
    abs_path: text,
    package: text,
    platform: 'javascript',
    lineno: 7,
    colno: 3,
    in_app: true,
    pre_context: [text, text],
    context_line: text,
    post_context: [text],
    vars: data,
  };
  const address = { url: text, to: text, from: text, href: text, image: text };
  return {
    event_id: newEventId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    logger: text,
    transaction: text,
    server_name: text,
    release: text,
    dist: text,
    environment: text,
    fingerprint: ['hostile', kind],
    logentry: { message: text, formatted: text, params: [text, data] },
    user: {
      id: text,
      email: text,
      username: text,
      name: text,
      ip_address: '203.0.113.7',
      data,
      geo: { city: text },
    },
    request: {
      url: text,
      method: text,
      query_string: [[text, text]],
      cookies: [[text, text]],
      headers: [
        ['Referer', text],
        ['User-Agent', text],
        [text, text],
      ],
      env: data,
      data,
    },
    breadcrumbs: {
      values: ['navigation', 'http', 'error', text].map((type) => ({
        timestamp: Date.now() / 1000,
        type,
        category: text,
        level: text,
        message: text,
        data: { ...address, ...data },
      })),
    },
    contexts: {
      ...Object.fromEntries(
        [
          'device',
          'os',
          'browser',
          'runtime',
          'app',
          'gpu',
          'culture',
          'cloud_resource',
          'response',
          'feature',
        ].map((name) => [name, { name: text, version: text, model: text, type: name, ...address, ...data }]),
      ),
      trace: { trace_id: newEventId(), span_id: '0123456789abcdef', op: text, description: text, data },
      [text.slice(0, 60)]: data,
    },
    extra: data,
    tags: [
      [text.slice(0, 32), text.slice(0, 190)],
      ['customer', text.slice(0, 190)],
      ['url', text.slice(0, 190)],
    ],
    modules: { [text.slice(0, 100)]: text },
    sdk: { name: text, version: text, integrations: [text], packages: [{ name: text, version: text }] },
    exception: {
      values: [
        {
          type: text,
          value: text,
          module: text,
          stacktrace: { frames: [frame, { ...frame, in_app: false }] },
        },
        {
          type: text,
          value: text,
          mechanism: { type: text, handled: false, description: text, help_link: text, data, meta: data },
          stacktrace: { frames: [frame] },
        },
      ],
    },
    threads: { values: [{ id: text, name: text, crashed: true, stacktrace: { frames: [frame] } }] },
    _meta: { extra: { '': { err: [[text, { reason: text }]], rem: [[text, 'x', 0, 5]] } } },
  };
}

/** With names that mean something to objects of JavaScript, as own keys: a parser makes them, a literal does not. */
function withKeys(data: object): Record<string, unknown> {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'then',
    'length',
  ];
  const entries = names.map((name) => `${JSON.stringify(name)}:{"polluted":"yes","toString":1}`);
  return { ...data, ...(JSON.parse(`{${entries.join(',')}}`) as object) };
}

function nest(depth: number): unknown {
  let value: unknown = `<img src=x onerror=${RUN}>`;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { deeper: value } : [value];
  return value;
}

const plain = (kind: string, more: object): HostileEvent['event'] => ({
  event_id: newEventId(),
  timestamp: Date.now() / 1000,
  platform: 'node',
  level: 'error',
  fingerprint: ['hostile', kind],
  exception: { values: [{ type: 'HostileError', value: kind }] },
  ...more,
});

/** Shapes and sizes that no page may choke on; each event stays just below the limit of 1 MiB. */
const SHAPES: Readonly<Record<string, (kind: string) => HostileEvent['event']>> = {
  'a text of 1 MB': (kind) => plain(kind, { message: 'm'.repeat(MEBIBYTE - 5_000) }),
  'a value of 1 MB': (kind) =>
    plain(kind, { exception: { values: [{ type: 'E', value: 'long '.repeat((MEBIBYTE - 5_000) / 5) }] } }),
  'an extra of 1 MB': (kind) => plain(kind, { extra: { text: 'e'.repeat(MEBIBYTE - 5_000) } }),
  '10,000 frames': (kind) =>
    plain(kind, {
      exception: {
        values: [
          {
            type: 'RangeError',
            value: 'Maximum call stack size exceeded',
            stacktrace: {
              frames: Array.from({ length: 10_000 }, (_, index) => ({
                function: `f${index}`,
                filename: `src/${index % 7}.ts`,
                lineno: index,
                in_app: true,
              })),
            },
          },
        ],
      },
    }),
  'frames full of source': (kind) =>
    plain(kind, {
      exception: {
        values: [
          {
            type: 'Error',
            value: 'wide',
            stacktrace: {
              frames: Array.from({ length: 100 }, (_, index) => ({
                function: `f${index}`,
                filename: 'src/wide.tsx',
                lineno: index,
                in_app: true,
                context_line: '<A b={`'.repeat(140),
                pre_context: Array.from({ length: 5 }, () => 'x'.repeat(1_000)),
                vars: { a: { b: 'c'.repeat(1_000) } },
              })),
            },
          },
        ],
      },
    }),
  '500 tags': (kind) =>
    plain(kind, {
      tags: Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [
          `tag-${index}-${'k'.repeat(20)}`,
          `${index} ${'v'.repeat(180)}`,
        ]),
      ),
    }),
  'nested contexts': (kind) =>
    plain(kind, { contexts: { deep: nest(1_500), app: nest(30) }, extra: { deep: nest(1_500) } }),
  'many of everything': (kind) =>
    plain(kind, {
      breadcrumbs: {
        values: Array.from({ length: 2_000 }, (_, index) => ({ message: `crumb ${index}`, data: { index } })),
      },
      modules: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`module-${index}`, '1.0.0'])),
      contexts: Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`context-${index}`, { index }]),
      ),
      exception: {
        values: Array.from({ length: 500 }, (_, index) => ({ type: `E${index}`, value: 'chained' })),
      },
    }),
  numbers: (kind) =>
    plain(kind, {
      timestamp: 1e300,
      tags: { infinite: 1e308, small: -1e-308, long: '9'.repeat(190) },
      extra: { big: 2 ** 53, huge: 1.7976931348623157e308, tiny: 5e-324, minus: -0, text: '9'.repeat(400) },
      user: { id: 2 ** 63, ip_address: '999.999.999.999' },
      exception: {
        values: [
          {
            type: 'E',
            value: 'numbers',
            stacktrace: {
              frames: [{ function: 'f', filename: 'a.ts', lineno: 2 ** 53, colno: -5, in_app: true }],
            },
          },
        ],
      },
    }),
  'wrong types': (kind) =>
    plain(kind, {
      tags: [[['x'], { y: 1 }], null, 7],
      user: 'ana',
      request: ['GET'],
      breadcrumbs: { values: [null, 1, 'x', []] },
      contexts: { os: 'Linux', device: [1, 2], app: null },
      extra: [1, 2, 3],
      exception: { values: [null, { type: { a: 1 }, value: ['b'], stacktrace: { frames: [null, 1, {}] } }] },
    }),
};

/** Every text and every shape once as an issue of its own, each with new ids. */
export const makeHostileEvents = (): readonly HostileEvent[] => [
  ...Object.entries(TEXTS).map(([name, text]) => ({ name, event: fill(text, name) })),
  ...Object.entries(SHAPES).map(([name, make]) => ({ name, event: make(name) })),
];

/** The same texts as events of one issue, so that its lists and counts show them next to each other. */
export const makeHostileCrowd = (): readonly HostileEvent[] =>
  Object.entries(TEXTS).map(([name, text]) => ({ name, event: fill(text, 'crowd') }));
