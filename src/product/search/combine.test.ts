import { expect, test } from 'vitest';
import type { EventExpression, IssueExpression } from '#storage/ports/search.ts';
import { asMixed, combine, type Part } from './combine.ts';

const issueOf = (word: string): IssueExpression => ({
  kind: 'words',
  match: { kind: 'exact', text: word },
  isNegated: false,
});
const eventOf = (word: string): EventExpression => ({
  kind: 'words',
  match: { kind: 'exact', text: word },
  isNegated: false,
});
const issue = (word: string): Part => ({ kind: 'issue', expression: issueOf(word) });
const event = (word: string): Part => ({ kind: 'event', expression: eventOf(word) });
const either = (word: string): Part => ({
  kind: 'either',
  issue: issueOf(`issue ${word}`),
  event: eventOf(`event ${word}`),
});
const both = (kind: 'and' | 'or', ...parts: Part[]) => combine(kind, parts);

test('conditions on events under one AND are about the same event', () => {
  expect(asMixed(both('and', issue('a'), event('b'), event('c')))).toEqual({
    kind: 'and',
    parts: [
      issueOf('a'),
      { kind: 'events', expression: { kind: 'and', parts: [eventOf('b'), eventOf('c')] } },
    ],
  });
  expect(asMixed(both('and', both('or', event('a'), event('b')), event('c')))).toEqual({
    kind: 'events',
    expression: {
      kind: 'and',
      parts: [{ kind: 'or', parts: [eventOf('a'), eventOf('b')] }, eventOf('c')],
    },
  });
});

test('conditions on events under one OR are one question', () => {
  expect(asMixed(both('or', event('a'), issue('b'), event('c')))).toEqual({
    kind: 'or',
    parts: [
      issueOf('b'),
      { kind: 'events', expression: { kind: 'or', parts: [eventOf('a'), eventOf('c')] } },
    ],
  });
});

test('what both know is asked of the event beside conditions on events, else of the issue', () => {
  expect(asMixed(both('and', either('a'), event('b')))).toEqual({
    kind: 'events',
    expression: { kind: 'and', parts: [eventOf('event a'), eventOf('b')] },
  });
  expect(asMixed(both('and', either('a'), issue('b')))).toEqual({
    kind: 'and',
    parts: [issueOf('issue a'), issueOf('b')],
  });
  expect(asMixed(both('and', both('or', either('a'), either('b')), event('c')))).toEqual({
    kind: 'events',
    expression: {
      kind: 'and',
      parts: [{ kind: 'or', parts: [eventOf('event a'), eventOf('event b')] }, eventOf('c')],
    },
  });
});

test('an OR of both kinds within an AND keeps its own question', () => {
  const inner = both('or', issue('a'), event('b'));
  expect(asMixed(both('and', inner, event('c')))).toEqual({
    kind: 'and',
    parts: [
      {
        kind: 'or',
        parts: [issueOf('a'), { kind: 'events', expression: { kind: 'or', parts: [eventOf('b')] } }],
      },
      { kind: 'events', expression: { kind: 'and', parts: [eventOf('c')] } },
    ],
  });
});

test('nothing asks for everything', () => {
  expect(asMixed(both('and'))).toEqual({ kind: 'and', parts: [] });
});
