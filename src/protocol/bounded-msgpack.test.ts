import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkMsgpackBounds } from './bounded-msgpack.ts';

test('whatever an encoder writes within the bounds passes, several values in a row too', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.string({ maxLength: 400 }),
      fc.uint8Array({ maxLength: 400 }),
      fc.date({ noInvalidDate: true }),
      fc.array(tie('any'), { maxLength: 40 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 40 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (values) => {
      expect(() => checkMsgpackBounds(Buffer.concat(values.map((each) => encode(each))))).not.toThrow();
    }),
  );
});

test('a million levels, a million values and containers that lie are refused', () => {
  const deep = Buffer.alloc(1_000_000, 0x91);
  deep[deep.length - 1] = 0xc0;
  expect(() => checkMsgpackBounds(deep)).toThrow('deeper than 64');
  expect(() => checkMsgpackBounds(Buffer.alloc(1_000_000, 0xc0))).toThrow('more than 100000');
  expect(() => checkMsgpackBounds(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]))).toThrow('ends before');
  expect(() => checkMsgpackBounds(Buffer.from([0x92, 0xc0]))).toThrow('ends before');
  expect(() => checkMsgpackBounds(Buffer.from([0xdb, 0, 0]))).toThrow(RangeError);
});
