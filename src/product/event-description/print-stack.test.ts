import { describe, expect, it } from 'vitest';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { printException, printStacks } from './print-stack.ts';

const frames: Frame[] = [
  { function: 'main', filename: 'app.js', lineno: 3, colno: 7 },
  {
    function: 'applyCoupon',
    filename: 'cart.js',
    abs_path: '/srv/cart.js',
    lineno: 84,
    colno: 12,
    context_line: '  return coupon.id;',
  },
];
const exception = { type: 'TypeError', value: 'x is undefined', stacktrace: { frames } };

describe('a printed stack', () => {
  it('of a script is as its engine prints it, last call first', () => {
    expect(printException(exception, 'javascript')).toBe(
      'TypeError: x is undefined\n    at applyCoupon (cart.js:84:12)\n    at main (app.js:3:7)',
    );
  });

  it('of Python ends with the last call, with its source', () => {
    expect(printException(exception, 'python')).toBe(
      [
        'Traceback (most recent call last):',
        '  File "app.js", line 3, in main',
        '  File "/srv/cart.js", line 84, in applyCoupon',
        '    return coupon.id;',
        'TypeError: x is undefined',
      ].join('\n'),
    );
  });

  it('of Java names the class', () => {
    const frame = { module: 'com.shop.Cache', function: 'grow', filename: 'Cache.java', lineno: 19 };
    expect(printException({ type: 'E', stacktrace: { frames: [frame] } }, 'java')).toBe(
      'E\n\tat com.shop.Cache.grow(Cache.java:19)',
    );
  });

  it.each([
    ['ruby', "\tfrom cart.js:84:in 'applyCoupon'"],
    ['go', 'applyCoupon(...)\n\t/srv/cart.js:84'],
    ['csharp', '   at applyCoupon() in cart.js:line 84'],
    ['elixir', '    applyCoupon in cart.js:84:12'],
  ])('of %s has the look of that platform', (platform, line) => {
    expect(printException(exception, platform)).toContain(line);
  });

  it('is there for an exception without frames, and empty for nothing', () => {
    expect(printException({ type: 'E', value: 'v' }, 'python')).toBe('E: v');
    expect(printException({}, 'java')).toBe('');
  });

  it('of a chain begins with what was seen, or with the first cause', () => {
    const event = {
      platform: 'node',
      exception: { values: [{ type: 'Cause' }, { type: 'Seen' }] },
    } as unknown as NormalizedEvent;
    expect(printStacks(event, 'newest')).toBe('Seen\n\nCaused by: Cause');
    expect(printStacks(event, 'oldest')).toBe('Cause\n\nSeen');
  });
});
