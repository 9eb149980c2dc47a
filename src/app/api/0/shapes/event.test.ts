import { expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { serializeEvent, serializeEventSummary } from './event.ts';

const EVENT_ID = 'ab'.repeat(16);
const EVENT: StoredEvent = {
  eventId: EVENT_ID,
  projectId: 3,
  groupingHash: 'cd'.repeat(16),
  title: 'TypeError: boom',
  message: 'boom',
  culprit: 'applyCoupon(checkout/cart)',
  level: 'error',
  platform: 'node',
  occurredAt: Date.UTC(2026, 0, 1, 12, 0, 0, 250),
  receivedAt: Date.UTC(2026, 0, 1, 12, 0, 1),
  release: 'web@2.1.0',
  environment: 'production',
  transaction: null,
  user: { id: '7', email: null, username: null, ip: '10.0.0.1' },
  tags: [
    ['release', 'web@2.1.0'],
    ['environment', 'production'],
  ],
  isBodySampled: false,
  payload: {
    event_id: EVENT_ID,
    type: 'error',
    level: 'error',
    platform: 'node',
    timestamp: 1_767_268_800.25,
    received: 1_767_268_801,
    dist: '5',
    user: { id: '7', ip_address: '10.0.0.1', data: { plan: 'pro' } },
    sdk: { name: 'sentry.javascript.node', version: '11.1.0', integrations: ['Http'] },
    contexts: { runtime: { name: 'node' }, os: { type: 'os', name: 'Linux' } },
    extra: { cart: 1 },
    modules: { next: '16.4.6' },
    errors: [{ type: 'invalid_data', name: 'user.email', reason: 'not a string', value: 5 }],
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'boom',
          stacktrace: {
            frames: [
              { function: 'main', filename: 'main.ts', in_app: true },
              { function: 'applyCoupon', filename: 'checkout/cart.ts', in_app: true },
              { function: 'run', filename: 'node:internal', in_app: false },
            ],
          },
        },
      ],
    },
  },
};
const ISSUE = { id: 42, type: 'error' } as Issue;

test('an event has the fields of the API under their names there', () => {
  const { entries, size, ...fields } = serializeEvent(EVENT, ISSUE, { previousId: 'p', nextId: null });
  expect(fields).toEqual({
    id: EVENT_ID,
    eventID: EVENT_ID,
    groupID: '42',
    projectID: '3',
    title: 'TypeError: boom',
    message: 'boom',
    platform: 'node',
    type: 'error',
    level: 'error',
    dateCreated: '2026-01-01T12:00:00.250Z',
    dateReceived: '2026-01-01T12:00:01.000Z',
    culprit: 'applyCoupon(checkout/cart)',
    location: 'checkout/cart.ts',
    metadata: { type: 'TypeError', value: 'boom', filename: 'checkout/cart.ts', function: 'applyCoupon' },
    user: {
      id: '7',
      email: null,
      username: null,
      name: null,
      ip_address: '10.0.0.1',
      geo: null,
      data: { plan: 'pro' },
    },
    tags: [
      { key: 'environment', value: 'production' },
      { key: 'release', value: 'web@2.1.0' },
    ],
    contexts: { runtime: { type: 'runtime', name: 'node' }, os: { type: 'os', name: 'Linux' } },
    context: { cart: 1 },
    packages: { next: '16.4.6' },
    sdk: { name: 'sentry.javascript.node', version: '11.1.0' },
    errors: [
      {
        type: 'invalid_data',
        message: 'not a string',
        data: { name: 'user.email', reason: 'not a string', value: 5 },
      },
    ],
    release: { version: 'web@2.1.0' },
    dist: '5',
    fingerprints: ['cd'.repeat(16)],
    isBodySampled: false,
    crashFile: null,
    userReport: null,
    occurrence: null,
    sdkUpdates: [],
    resolvedWith: [],
    nextEventID: null,
    previousEventID: 'p',
    _meta: expect.objectContaining({ entries: {}, tags: {} }),
  });
  expect(entries.map((entry) => entry.type)).toEqual(['exception']);
  expect(size).toBe(JSON.stringify(EVENT.payload).length);
});

test('a message is described by its text', () => {
  const { exception: _, ...payload } = EVENT.payload;
  const event = { ...EVENT, payload: { ...payload, logentry: { message: 'hi %s', formatted: 'hi you' } } };
  expect(serializeEvent(event, ISSUE, { previousId: null, nextId: null })).toMatchObject({
    metadata: { title: 'hi you' },
    location: null,
  });
});

test('an event whose issue was deleted has no group', () => {
  expect(serializeEvent(EVENT, null, { previousId: null, nextId: null }).groupID).toBeNull();
  expect(serializeEventSummary(EVENT, null)).toMatchObject({ groupID: null, 'event.type': 'error' });
});

test('a summary tells the user only when one is known', () => {
  expect(serializeEventSummary(EVENT, ISSUE)).toMatchObject({
    eventID: EVENT_ID,
    groupID: '42',
    'event.type': 'error',
    user: { id: '7', email: null, username: null, ip_address: '10.0.0.1' },
  });
  const anonymous = { ...EVENT, user: { id: null, email: null, username: null, ip: null } };
  expect(serializeEventSummary(anonymous, ISSUE).user).toBeNull();
});
