import { describe, expect, it } from 'vitest';
import { stackView } from './frame-view.ts';
import { rawStack } from './raw-stack.ts';

const { frames } = stackView({
  frames: [
    { function: 'main', filename: 'app.js', lineno: 3, colno: 7 },
    {
      function: 'applyCoupon',
      filename: 'cart.js',
      abs_path: '/srv/cart.js',
      lineno: 84,
      colno: 12,
      pre_context: ['const a = 1;'],
      context_line: '  return coupon.id;',
    },
  ],
});
const exception = { type: 'TypeError', value: 'x is undefined', frames };

describe('rawStack', () => {
  it('prints a script as its engine does, last call first', () => {
    expect(rawStack(exception, 'javascript')).toBe(
      'TypeError: x is undefined\n    at applyCoupon (cart.js:84:12)\n    at main (app.js:3:7)',
    );
  });

  it('prints Python as Python does, last call last with its source', () => {
    expect(rawStack(exception, 'python')).toBe(
      [
        'Traceback (most recent call last):',
        '  File "app.js", line 3, in main',
        '  File "/srv/cart.js", line 84, in applyCoupon',
        '    return coupon.id;',
        'TypeError: x is undefined',
      ].join('\n'),
    );
  });

  it('prints something for every platform and for an exception without frames', () => {
    expect(rawStack(exception, 'elixir')).toContain('applyCoupon in cart.js:84:12');
    expect(rawStack({ type: '', value: '', frames: [] }, 'java')).toBe('');
  });
});

describe('stackView', () => {
  it('names the class with the function where the file does not tell it', () => {
    const [frame] = stackView({
      frames: [{ module: 'com.shop.Cache', function: 'grow', filename: 'Cache.java', lineno: 19 }],
    }).frames;
    expect(frame?.functionName).toBe('com.shop.Cache.grow');
    expect(rawStack({ type: 'E', value: '', frames: frame ? [frame] : [] }, 'java')).toBe(
      'E\n\tat com.shop.Cache.grow(Cache.java:19)',
    );
    expect(
      stackView({ frames: [{ module: 'orders.views', function: 'get', filename: 'orders/views.py' }] })
        .frames[0]?.functionName,
    ).toBe('get');
  });

  it('numbers the source lines around the call', () => {
    expect(frames[1]?.source).toEqual([
      { number: 83, text: 'const a = 1;', isCalled: false },
      { number: 84, text: '  return coupon.id;', isCalled: true },
    ]);
  });

  it('knows source without a line number', () => {
    expect(stackView({ frames: [{ context_line: 'x' }] }).frames[0]?.source).toEqual([
      { number: null, text: 'x', isCalled: true },
    ]);
  });
});
