import { describe, expect, it } from 'vitest';
import { below, formatValue, valueAt, valueHref } from './value-location.ts';

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

describe('formatValue', () => {
  it('leaves strings as they are', () => {
    expect(formatValue('a\n"b"')).toBe('a\n"b"');
  });

  it('writes what is short on one line', () => {
    expect(formatValue({ a: [1, null], b: {}, c: 'x' })).toBe('{ "a": [1, null], "b": {}, "c": "x" }');
    expect(formatValue(null)).toBe('null');
    expect(formatValue(undefined)).toBe('undefined');
  });

  it('breaks what is long, and only there', () => {
    const item = { sku: 'A-1', price: 1900, tags: ['new'] };
    expect(formatValue({ id: 'c_81723', items: [item, item] })).toBe(
      [
        '{',
        '  "id": "c_81723",',
        '  "items": [',
        '    { "sku": "A-1", "price": 1900, "tags": ["new"] },',
        '    { "sku": "A-1", "price": 1900, "tags": ["new"] }',
        '  ]',
        '}',
      ].join('\n'),
    );
  });

  it('stays valid JSON', () => {
    const value = { 'a"b': ['x'.repeat(90), { c: [[], {}, [null, true, 1.5]] }], d: '\u202E' };
    expect(JSON.parse(formatValue(value))).toEqual(value);
  });
});
