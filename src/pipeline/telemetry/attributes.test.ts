import { describe, expect, test } from 'vitest';
import { AttributeSet, attributesOf, attributeText, DROPPED_ATTRIBUTES } from './attributes.ts';
import { ATTRIBUTE_KEY_CHARS_MAX, ATTRIBUTE_VALUE_CHARS_MAX, ATTRIBUTES_MAX } from './limits.ts';

const typed = (attributes: unknown) => {
  const set = new AttributeSet(true);
  set.addTyped(attributes);
  return set.toRecord();
};

describe('typed attributes', () => {
  test.each([
    ['string', 'text', 'text'],
    ['string', 5, '5'],
    ['integer', 5, 5],
    ['integer', '5', 5],
    ['integer', '18446744073709551615', '18446744073709551615'],
    ['double', 1.5, 1.5],
    ['double', 2, 2],
    ['double', '1.5', 1.5],
    ['boolean', false, false],
    ['boolean', 'true', true],
    ['array', ['a', 'b'], '["a","b"]'],
    ['custom', 'kept', 'kept'],
    [undefined, 'kept', 'kept'],
    ['custom', { a: [1] }, '{"a":[1]}'],
  ])('%s of %j is %j', (type, value, stored) => {
    expect(typed({ key: { type, value } })).toEqual({ key: stored });
  });

  test.each([
    ['string', { a: 1 }],
    ['integer', 1.5],
    ['integer', 'abc'],
    ['double', 'abc'],
    ['double', ''],
    ['boolean', 1],
  ])('%s of %j is dropped and counted', (type, value) => {
    expect(typed({ key: { type, value }, other: { type: 'string', value: 'x' } })).toEqual({
      other: 'x',
      [DROPPED_ATTRIBUTES]: 1,
    });
  });

  test('null is absent, a bare value is read, an object without a value is dropped', () => {
    expect(typed({ a: { type: 'string', value: null }, b: 7, c: {}, d: null })).toEqual({
      b: 7,
      [DROPPED_ATTRIBUTES]: 1,
    });
  });
});

describe('bounds and safety', () => {
  test('more attributes than the bound are counted', () => {
    const set = new AttributeSet(false);
    for (let index = 0; index < ATTRIBUTES_MAX + 3; index++) set.set(`key${index}`, index);
    set.set('key0', 'a known key may still change');
    const record = set.toRecord();
    expect(Object.keys(record)).toHaveLength(ATTRIBUTES_MAX + 1);
    expect(record[DROPPED_ATTRIBUTES]).toBe(3);
    expect(record.key0).toBe('a known key may still change');
  });

  test('keys and values are cut; the budget of an element holds', () => {
    const set = new AttributeSet(false, 40_000);
    set.set('k'.repeat(1_000), 'v'.repeat(100_000));
    const [entry] = Object.entries(set.toRecord());
    expect(entry?.[0]).toHaveLength(ATTRIBUTE_KEY_CHARS_MAX);
    expect(entry?.[1]).toHaveLength(ATTRIBUTE_VALUE_CHARS_MAX);
    set.set('second', 'v'.repeat(ATTRIBUTE_VALUE_CHARS_MAX));
    set.set('third', 'v'.repeat(ATTRIBUTE_VALUE_CHARS_MAX));
    expect(Object.keys(set.toRecord())).toEqual([entry?.[0], 'second', DROPPED_ATTRIBUTES]);
  });

  test('__proto__, the empty key and what is not finite is dropped', () => {
    const set = new AttributeSet(false);
    set.addPlain(JSON.parse('{"__proto__":{"polluted":1},"":"x","constructor":"c","inf":1e999}'));
    const record = set.toRecord();
    expect(record).toEqual({ constructor: 'c', [DROPPED_ATTRIBUTES]: 3 });
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

  test('NUL and lone surrogates become storable, also in keys and in nested values', () => {
    const set = new AttributeSet(true);
    set.set('a\0', 'b\0\ud800');
    set.set('nested', { 'c\0': ['\udc00'] });
    expect(set.toRecord()).toEqual({ 'a\ufffd': 'b\ufffd\ufffd', nested: '{"c\ufffd":["\ufffd"]}' });
  });

  test('deep values end', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    const set = new AttributeSet(false);
    set.set('deep', deep);
    expect(set.toRecord().deep).toBe('[[[[[["[Array]"]]]]]]');
  });
});

test('what was set first wins where a missing one is asked for', () => {
  const set = new AttributeSet(false);
  set.set('a', 1);
  set.setMissing('a', 2);
  set.addPlain({ a: 3, b: 4 });
  expect(set.toRecord()).toEqual({ a: 1, b: 4 });
  expect(set.text('none', 'b', 'a')).toBe('4');
});

test('only values that attributes may have come back from a scrubber', () => {
  const scrubbed = JSON.parse('{"a":"x","b":1,"c":true,"d":null,"e":{"f":1},"__proto__":"p"}');
  expect(attributesOf(scrubbed)).toEqual({ a: 'x', b: 1, c: true });
  expect(attributesOf('[Filtered]')).toEqual({});
  expect(attributeText({ a: '', b: 5 }, 'toString', 'a', 'b')).toBe('5');
});
