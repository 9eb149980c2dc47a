import { expect, test } from 'vitest';
import { readSpanEvents } from './span-events.ts';

const startedAtUs = 1_795_763_331_910_404;
const read = (events: unknown) =>
  readSpanEvents({
    startedAtUs,
    attributes: { 'otel.events': typeof events === 'string' ? events : JSON.stringify(events) },
  });

test('an exception is told by its type, its message and its stack trace', () => {
  const attributes = {
    'exception.type': 'CardDeclined',
    'exception.message': 'declined for 12',
    'exception.stacktrace': 'Traceback\n  charge',
    'exception.escaped': 'False',
  };
  expect(read([{ name: 'exception', timeUnixNano: '1795763331912271619', attributes }])).toEqual([
    {
      name: 'exception',
      afterUs: 1_867,
      exception: 'CardDeclined: declined for 12',
      stackTrace: 'Traceback\n  charge',
      attributes: [['exception.escaped', 'False']],
    },
  ]);
});

test('any other event has its name and its attributes', () => {
  const attributes = { attempt: 2, of: ['a'], 'exception.type': 'x' };
  expect(read([{ name: 'retry', timeUnixNano: 'soon', attributes }, { name: 5 }, null])).toMatchObject([
    {
      name: 'retry',
      afterUs: null,
      exception: null,
      attributes: [
        ['attempt', '2'],
        ['of', '["a"]'],
        ['exception.type', 'x'],
      ],
    },
    { name: '5', attributes: [] },
  ]);
});

test('what is no list of events, or was cut, is none', () => {
  expect(['[{"name":"exc', '{}', '[]', '5'].map(read)).toEqual([null, null, null, null]);
  expect(readSpanEvents({ startedAtUs, attributes: {} })).toBeNull();
});
