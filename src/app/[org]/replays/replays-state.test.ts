import { expect, test } from 'vitest';
import { filterOf, parseReplaysState, replaysHref } from './replays-state.ts';

test('an empty address lists all, the newest first', () => {
  const state = parseReplaysState({});
  expect(state).toMatchObject({ search: '', having: 'all', minutesMin: '0', sort: 'started', cursor: null });
  expect(replaysHref('main', state)).toBe('/main/replays');
  expect(filterOf(state)).toEqual({ text: '', environments: [], having: [], durationMsMin: 0 });
});

test('every choice stands in the address, and another one starts at the first page', () => {
  const state = parseReplaysState({
    query: 'ada',
    with: 'rageClicks',
    minutes: '5',
    sort: 'duration',
    cursor: 'abc',
    environment: 'production',
  });
  expect(replaysHref('main', state, { cursor: 'next' })).toBe(
    '/main/replays?environment=production&query=ada&with=rageClicks&minutes=5&sort=duration&cursor=next',
  );
  expect(replaysHref('main', state, { having: 'all' })).not.toContain('cursor');
  expect(filterOf(state)).toEqual({
    text: 'ada',
    environments: ['production'],
    having: ['rageClicks'],
    durationMsMin: 300_000,
  });
});

test('what is no choice is the default', () => {
  const state = parseReplaysState({ with: 'constructor', minutes: '7', sort: 'x' });
  expect(state).toMatchObject({ having: 'all', minutesMin: '0', sort: 'started' });
});
