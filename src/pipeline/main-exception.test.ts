import { expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { digestFixture } from './fixtures/digest-fixture.ts';
import { crashingFrame, mainException } from './main-exception.ts';

const eventOf = (payload: unknown): NormalizedEvent => digestFixture(payload).payload;
const exception = (type: string, mechanism: object) => ({
  type,
  value: type,
  mechanism: { type: 'generic', ...mechanism },
});

test('the last exception of a chain is the main one', () => {
  expect(mainException(eventOf({ exception: [{ type: 'Cause' }, { type: 'Caught' }] }))?.type).toBe('Caught');
  expect(mainException(eventOf({ message: 'm' }))).toBeNull();
});

test('a group of one kind is about its first member, however deep it lies', () => {
  const event = eventOf({
    exception: [
      exception('ValueError', { exception_id: 4, parent_id: 1, source: 'exceptions[1]' }),
      exception('ValueError', { exception_id: 2, parent_id: 1, source: 'exceptions[0]' }),
      exception('ExceptionGroup', {
        exception_id: 1,
        parent_id: 0,
        source: 'exceptions[0]',
        is_exception_group: true,
      }),
      exception('ExceptionGroup', { exception_id: 0, is_exception_group: true }),
    ],
  });
  expect(mainException(event)?.mechanism?.exception_id).toBe(2);
});

test('a group of several kinds is about itself, and its cause is no member', () => {
  const event = eventOf({
    exception: [
      exception('KeyError', { exception_id: 3, parent_id: 0, source: '__cause__' }),
      exception('TypeError', { exception_id: 2, parent_id: 0, source: 'errors[1]' }),
      exception('ValueError', { exception_id: 1, parent_id: 0, source: 'errors[0]' }),
      exception('AggregateError', { exception_id: 0, is_exception_group: true }),
    ],
  });
  expect(mainException(event)?.type).toBe('AggregateError');
});

test('groups that hold each other end', () => {
  const event = eventOf({
    exception: [
      exception('A', { exception_id: 1, parent_id: 2, source: 'errors[0]', is_exception_group: true }),
      exception('A', { exception_id: 2, parent_id: 1, source: 'errors[0]', is_exception_group: true }),
    ],
  });
  expect(mainException(event)?.type).toBe('A');
});

test('the crash is in the innermost frame of own code, else the innermost that tells something', () => {
  const crashIn = (frames: readonly object[]) =>
    crashingFrame(eventOf({ platform: 'native', exception: { type: 'E', stacktrace: { frames } } }))
      ?.function;
  expect(
    crashIn([
      { function: 'own', in_app: true },
      { function: 'lib', in_app: false },
    ]),
  ).toBe('own');
  expect(crashIn([{ function: 'maybe' }, { function: 'lib', in_app: false }])).toBe('maybe');
  expect(
    crashIn([
      { function: 'lib', in_app: false },
      { function: 'abort', in_app: false },
    ]),
  ).toBe('lib');
  expect(crashIn([{ function: '<redacted>', in_app: false }])).toBe('<redacted>');
});

test('without a stack of its own the exception happened in its thread', () => {
  const threads = [
    { id: 1, crashed: false, stacktrace: { frames: [{ function: 'idle' }] } },
    { id: 2, crashed: true, stacktrace: { frames: [{ function: 'crash' }] } },
    { id: 3, stacktrace: { frames: [{ function: 'named' }] } },
  ];
  expect(crashingFrame(eventOf({ exception: { type: 'E', thread_id: 3 }, threads }))?.function).toBe('named');
  expect(crashingFrame(eventOf({ exception: { type: 'E' }, threads }))?.function).toBe('crash');
});
