import { expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { serializeEventEntries } from './event-entries.ts';

const EVENT: NormalizedEvent = {
  event_id: 'a'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'node',
  timestamp: 1_700_000_000,
  received: 1_700_000_001,
};

const entriesOf = (part: Partial<NormalizedEvent>) => serializeEventEntries({ ...EVENT, ...part });

test('an event without parts has no entries', () => {
  expect(entriesOf({})).toEqual([]);
  expect(
    entriesOf({
      exception: { values: [] },
      breadcrumbs: { values: [] },
      threads: { values: [] },
      request: null,
    }),
  ).toEqual([]);
});

test('every part of an event becomes one entry, the message and the exception first', () => {
  const types = entriesOf({
    request: { url: 'https://shop.example.com/' },
    breadcrumbs: { values: [{ message: 'clicked' }] },
    threads: { values: [{ id: 1 }] },
    stacktrace: { frames: [{ function: 'main' }] },
    exception: { values: [{ type: 'Error' }] },
    logentry: { formatted: 'hello' },
    csp: { blocked_uri: 'x' },
    debug_meta: { images: [] },
  }).map((entry) => entry.type);
  expect(types).toEqual([
    'message',
    'exception',
    'stacktrace',
    'threads',
    'breadcrumbs',
    'request',
    'csp',
    'debugmeta',
  ]);
});

test('exceptions keep their order, mechanism and both stack traces', () => {
  const [entry] = entriesOf({
    exception: {
      values: [
        { type: 'Cause', value: 'inner' },
        {
          type: 'TypeError',
          value: 'outer',
          module: 'shop',
          thread_id: 7,
          mechanism: { type: 'generic', handled: false },
          stacktrace: {
            frames: [
              { function: 'a', in_app: true },
              { function: 'b', in_app: false },
            ],
          },
          raw_stacktrace: { frames: [{ function: 'x' }] },
        },
      ],
    },
  });
  expect(entry).toMatchObject({
    type: 'exception',
    data: {
      hasSystemFrames: true,
      values: [
        { type: 'Cause', value: 'inner', stacktrace: null, rawStacktrace: null, mechanism: null },
        {
          type: 'TypeError',
          value: 'outer',
          module: 'shop',
          threadId: 7,
          mechanism: { type: 'generic', handled: false },
          stacktrace: { frames: [{ function: 'a' }, { function: 'b' }], hasSystemFrames: true },
          rawStacktrace: { frames: [{ function: 'x' }] },
        },
      ],
    },
  });
});

test('a message without a formatted text shows its template', () => {
  expect(entriesOf({ logentry: { message: 'hello %s', params: ['you'] } })).toEqual([
    { type: 'message', data: { message: 'hello %s', formatted: 'hello %s', params: ['you'] } },
  ]);
});

test('breadcrumbs have their time in ISO 8601, and a type and a level always', () => {
  expect(
    entriesOf({ breadcrumbs: { values: [{ timestamp: 1_700_000_000.5, category: 'xhr' }, {}] } }),
  ).toEqual([
    {
      type: 'breadcrumbs',
      data: {
        values: [
          expect.objectContaining({
            timestamp: '2023-11-14T22:13:20.500Z',
            type: 'default',
            level: 'info',
            category: 'xhr',
          }),
          expect.objectContaining({ timestamp: null, message: null, data: null }),
        ],
      },
    },
  ]);
});

test('a request tells its query, headers and cookies as pairs', () => {
  expect(
    entriesOf({
      request: {
        url: 'https://shop.example.com/cart',
        method: 'POST',
        query_string: [['a', '1']],
        headers: [['Accept', '*/*']],
        data: { x: 1 },
      },
    }),
  ).toEqual([
    {
      type: 'request',
      data: {
        url: 'https://shop.example.com/cart',
        method: 'POST',
        query: [['a', '1']],
        headers: [['Accept', '*/*']],
        cookies: [],
        fragment: null,
        data: { x: 1 },
        env: null,
        inferredContentType: null,
        apiTarget: null,
      },
    },
  ]);
});
