import { describe, expect, test } from 'vitest';
import type { Frame } from '#protocol/event.ts';
import { leavesOf } from '../component.ts';
import { groupingConfig, LATEST_GROUPING_CONFIG } from '../grouping-types.ts';
import { frameComponent } from './frame-component.ts';

const config = groupingConfig(LATEST_GROUPING_CONFIG);
const leaves = (platform: string, frame: Frame) => leavesOf(frameComponent(frame, platform, config));

describe('the place', () => {
  test.each([
    ['python', { module: 'shop.cart', filename: 'shop/cart.py' }, ['shop.cart']],
    ['python', { filename: 'C:\\Shop\\Cart.PY' }, ['cart.py']],
    ['javascript', { filename: '/static/cart.js', abs_path: 'https://shop.example/static/cart.js' }, []],
    ['javascript', { filename: 'cart.js', abs_path: 'blob:https://shop.example/1' }, []],
    ['javascript', { filename: 'cart.js', abs_path: 'file:///srv/cart.js' }, ['cart.js']],
    ['javascript', { filename: 'cart.js', abs_path: 'app:///cart.js' }, ['cart.js']],
    ['node', { filename: '[native code]' }, []],
    ['javascript', { module: 'a/cart', abs_path: 'https://shop.example/a/cart' }, []],
    ['node', { module: 'a/cart', abs_path: 'https://shop.example/a/cart' }, ['a/cart']],
  ])('on %s of %o is %o', (platform, frame, expected) => {
    expect(leaves(platform, frame)).toEqual(expected);
  });

  test.each([
    ['shop.Cart$$EnhancerBySpringCGLIB$$1a2b3c4d', 'shop.Cart$$EnhancerBySpringCGLIB$$<auto>'],
    ['shop.Cart$$FastClassByGuice$$99ff00aa', 'shop.Cart$$FastClassByGuice$$<auto>'],
    ['shop.Cart$EnhancerByGuice$1a2b', 'shop.Cart$EnhancerByGuice$<auto>'],
    ['shop.Cart_$$_javassist_seam_74', 'shop.Cart_$$_javassist<auto>'],
    ['shop.core$fn__1234', 'shop.core$fn__<auto>'],
    ['shop.User$HibernateProxy$oRWxjAWT', 'shop.User$HibernateProxy$<auto>'],
    ['sun.reflect.GeneratedConstructorAccessor12', 'sun.reflect.GeneratedConstructorAccessor<auto>'],
    ['sun.reflect.GeneratedMethodAccessor7', 'sun.reflect.GeneratedMethodAccessor'],
    ['jdk.internal.reflect.GeneratedMethodAccessor7', 'jdk.internal.reflect.GeneratedMethodAccessor'],
  ])('in Java, %s is %s', (module, expected) => {
    expect(leaves('java', { module })).toEqual([expected]);
    expect(leaves('python', { module })).toEqual([module]);
  });

  test('in Java, lambdas count neither as class nor as function', () => {
    expect(leaves('java', { module: 'shop.Cart$$Lambda$12/0x1', function: 'lambda$pay$3' })).toEqual([]);
    expect(leaves('java', { filename: 'Cart_$$_javassist_3.java' })).toEqual([
      'cart_$$_javassist<auto>.java',
    ]);
  });
});

describe('the function', () => {
  test.each([
    ['javascript', { function: 'Object.Cart.pay' }, ['pay']],
    ['node', { function: '<anonymous>' }, []],
    ['node', { function: 'Cart.<anonymous>' }, []],
    ['javascript', { function: 'e/<' }, []],
    ['javascript', { function: '?' }, []],
    ['python', { function: 'Cart.pay' }, ['Cart.pay']],
    ['ruby', { function: 'block (2 levels) in pay' }, ['block']],
    ['ruby', { function: '_app_views_cart_erb__1234_5678' }, ['_app_views_cart_erb']],
    ['php', { function: 'class@anonymous\ufffd/srv/a.php:3$0::pay' }, ['pay']],
    ['php', { function: 'class@anonymous\ufffd/srv/a.php:3$0' }, []],
    ['php', { function: '[Anonymous function]' }, []],
    ['csharp', { function: 'Pay', raw_function: 'Pay (System.Int32 a)' }, ['Pay (System.Int32 a)']],
    ['native', { function: '<redacted>' }, []],
    ['native', { raw_function: 'pay' }, ['pay']],
  ])('on %s of %o is %o', (platform, frame, expected) => {
    expect(leaves(platform, frame)).toEqual(expected);
  });

  test.each(['[native code]', '<anonymous>', 'eval code'])(
    'of a script at %s goes with its frame',
    (path) => {
      expect(leaves('javascript', { function: 'pay', abs_path: path })).toEqual([]);
      expect(leaves('python', { function: 'pay', abs_path: path })).toEqual(['pay']);
    },
  );

  test('named by a source map gives way to the source line', () => {
    const frame = { function: 'pay', context_line: 'pay();', data: { sourcemap: 'cart.js.map' } };
    expect(leaves('javascript', frame)).toEqual(['pay();']);
    expect(leaves('javascript', { ...frame, context_line: null })).toEqual(['pay']);
  });
});

describe('the source line', () => {
  test('counts on platforms that send good ones, with single spaces', () => {
    const frame = { function: 'pay', context_line: '\treturn   cart.pay( ) ' };
    expect(leaves('python', frame)).toEqual(['pay', 'return cart.pay( )']);
    expect(leaves('java', frame)).toEqual(['pay']);
  });

  test.each([
    ['a'.repeat(120), true],
    ['a'.repeat(121), false],
    ['\u{1f600}'.repeat(120), true],
  ])('%# does not count when it is long', (line, counts) => {
    expect(leaves('python', { context_line: line })).toEqual(counts ? [line] : []);
  });

  test('does not count at an address without a function', () => {
    const frame = { context_line: '<html>', abs_path: 'https://shop.example/' };
    expect(leaves('javascript', frame)).toEqual([]);
    expect(leaves('javascript', { ...frame, function: 'pay' })).toEqual(['pay', '<html>']);
  });
});

test('the tree keeps what does not count, and says why', () => {
  const part = frameComponent({ module: 'shop', filename: 'shop.py', function: 'pay' }, 'python', config);
  expect(part.values).toMatchObject([
    { id: 'module', contributes: true, hint: null },
    { id: 'filename', contributes: false, hint: expect.any(String), values: ['shop.py'] },
    { id: 'function', contributes: true },
  ]);
});
