import { expect, it } from 'vitest';
import { stackView } from './frame-view.ts';

it('names the class with the function where the file does not tell it', () => {
  const nameOf = (frame: { module: string; function: string; filename: string }) =>
    stackView({ frames: [frame] }).frames[0]?.functionName;
  expect(nameOf({ module: 'com.shop.Cache', function: 'grow', filename: 'Cache.java' })).toBe(
    'com.shop.Cache.grow',
  );
  expect(nameOf({ module: 'orders.views', function: 'get', filename: 'orders/views.py' })).toBe('get');
});

it('numbers the source lines around the call', () => {
  const [frame] = stackView({
    frames: [{ lineno: 84, pre_context: ['const a = 1;'], context_line: '  return coupon.id;' }],
  }).frames;
  expect(frame?.source).toEqual([
    { number: 83, text: 'const a = 1;', isCalled: false },
    { number: 84, text: '  return coupon.id;', isCalled: true },
  ]);
});

it('knows source without a line number', () => {
  expect(stackView({ frames: [{ context_line: 'x' }] }).frames[0]?.source).toEqual([
    { number: null, text: 'x', isCalled: true },
  ]);
});

it('says how many frames the SDK left out', () => {
  expect(stackView({ frames: [], frames_omitted: [3, 10] }).omitted).toBe(7);
});
