import { describe, expect, it } from 'vitest';
import { formatValue } from './format-value.ts';

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
