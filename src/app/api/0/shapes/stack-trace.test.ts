import { expect, test } from 'vitest';
import { hasSystemFrames, serializeStacktrace } from './stack-trace.ts';

const only = (frame: Parameters<typeof serializeStacktrace>[0]['frames'][number]) =>
  serializeStacktrace({ frames: [frame] }).frames[0];

test('a frame has every field of the API under its name there', () => {
  expect(
    only({
      function: 'applyCoupon',
      raw_function: 'applyCoupon@x',
      module: 'checkout/cart',
      package: 'shop.jar',
      filename: 'checkout/cart.ts',
      abs_path: '/srv/checkout/cart.ts',
      lineno: 84,
      colno: 12,
      in_app: true,
      platform: 'node',
      instruction_addr: '0x1',
      symbol_addr: '0x2',
      vars: { code: 'X' },
    }),
  ).toMatchObject({
    function: 'applyCoupon',
    rawFunction: 'applyCoupon@x',
    module: 'checkout/cart',
    package: 'shop.jar',
    filename: 'checkout/cart.ts',
    absPath: '/srv/checkout/cart.ts',
    lineNo: 84,
    colNo: 12,
    inApp: true,
    platform: 'node',
    instructionAddr: '0x1',
    symbolAddr: '0x2',
    vars: { code: 'X' },
  });
});

test('source lines carry their numbers, missing ones are empty', () => {
  expect(
    only({ lineno: 10, pre_context: ['eight', null], context_line: 'ten', post_context: ['eleven'] })
      ?.context,
  ).toEqual([
    [8, 'eight'],
    [9, ''],
    [10, 'ten'],
    [11, 'eleven'],
  ]);
});

test('without a line or its number there are no source lines', () => {
  expect(only({ lineno: 10, pre_context: ['nine'] })?.context).toEqual([]);
  expect(only({ context_line: 'ten' })?.context).toEqual([]);
});

test('what is unknown is null, but inApp is always a boolean', () => {
  const frame = only({});
  expect(frame).toMatchObject({ function: null, filename: null, lineNo: null, vars: null, inApp: false });
});

test('system frames are there when frames of the user and of others are mixed', () => {
  const ours = { in_app: true };
  const theirs = { in_app: false };
  expect(hasSystemFrames({ frames: [ours, theirs] })).toBe(true);
  expect(hasSystemFrames({ frames: [ours, {}] })).toBe(true);
  expect(hasSystemFrames({ frames: [ours, ours] })).toBe(false);
  expect(hasSystemFrames({ frames: [theirs] })).toBe(false);
});

test('frames keep their order, oldest call first', () => {
  const { frames } = serializeStacktrace({ frames: [{ function: 'main' }, { function: 'throws' }] });
  expect(frames.map((frame) => frame.function)).toEqual(['main', 'throws']);
});
