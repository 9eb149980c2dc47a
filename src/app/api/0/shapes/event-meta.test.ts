import { expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { serializeEventEntries } from './event-entries.ts';
import { serializeMeta } from './event-meta.ts';

const mark = { '': { rem: [['@password:filter', 's', 0, 10]], len: 5 } };

test('marks stand where the answer has the values', () => {
  const event: NormalizedEvent = {
    event_id: 'ab'.repeat(16),
    type: 'error',
    level: 'error',
    platform: 'other',
    timestamp: 1,
    received: 1,
    exception: { values: [{ type: 'E', stacktrace: { frames: [{ vars: { password: '[Filtered]' } }] } }] },
    request: { query_string: [['token', '[Filtered]']] },
    tags: [
      ['plain', 'x'],
      ['api_key', '[Filtered]'],
    ],
    extra: { password: '[Filtered]' },
    _meta: {
      exception: { values: { 0: { stacktrace: { frames: { 0: { vars: { password: mark } } } } } } },
      request: { query_string: { 0: { 1: mark } } },
      tags: { 1: { 1: mark } },
      extra: { password: mark },
    },
  };
  const tags = [{ key: 'api_key' }, { key: 'level' }, { key: 'plain' }];
  expect(serializeMeta(event, serializeEventEntries(event), tags)).toEqual({
    entries: {
      0: { data: { values: { 0: { stacktrace: { frames: { 0: { vars: { password: mark } } } } } } } },
      1: { data: { query: { 0: { 1: mark } } } },
    },
    message: null,
    user: null,
    contexts: null,
    context: { password: mark },
    packages: null,
    sdk: null,
    tags: { 0: { value: mark } },
  });
});

test('an event without marks has empty ones', () => {
  const event = {
    event_id: 'a',
    type: 'error',
    level: 'error',
    platform: 'other',
    timestamp: 1,
    received: 1,
  } as const;
  expect(serializeMeta(event, [], [])).toMatchObject({ entries: {}, tags: {}, context: null });
});
