import { expect, it } from 'vitest';
import { below, valueAt, valueHref } from './value-place.ts';

const event = { extra: { 'a.b': [{ c: 1 }] } };

it('finds a value below names and places', () => {
  expect(valueAt(event, ['extra', 'a.b', '0', 'c'])).toBe(1);
  expect(valueAt(event, [])).toBe(event);
});

it('finds nothing that the event does not own', () => {
  for (const path of [['extra', 'constructor'], ['__proto__'], ['extra', 'a.b', 'length', 'x'], ['x', 'y']]) {
    expect(valueAt(event, path)).toBeUndefined();
  }
});

it('names the place in the address', () => {
  const place = below({ eventHref: '/o/issues/W-1/events/ab', path: ['extra'] }, 'a b', 0);
  expect(valueHref(place)).toBe('/o/issues/W-1/events/ab/value?at=extra&at=a+b&at=0');
});
