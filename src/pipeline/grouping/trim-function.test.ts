import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { trimFunction } from './trim-function.ts';

test.each([
  ['void std::vector<int>::push(int) const', 'std::vector<T>::push'],
  ['int main(int, char**)', 'main'],
  ['operator<<(std::ostream&, Shop const&)', 'operator<<'],
  ['bool operator()(Cart const&) const &', 'operator()'],
  ['Cart* Cart::operator->()', 'Cart::operator->'],
  ['pay() [clone .cold.12]', 'pay'],
  ["`anonymous namespace'::pay(int)", "`anonymous namespace'::pay"],
  ['(anonymous namespace)::pay(int)', '(anonymous namespace)::pay'],
  ['?A0x12345678::pay', "`anonymous namespace'::pay"],
  ['shop::{lambda(int, int)#3}::operator()(int) const', 'shop::lambda::operator()'],
  ['main::$_12::operator()()', 'main::lambda::operator()'],
  ['lambda_0123456789abcdef0123456789abcdef::invoke', 'lambda::invoke'],
  ['std::function<void (lambda)>::call', 'std::function<T>::call'],
  ['<shop::Cart as core::fmt::Display>::fmt::h0123456789abcdef', 'shop::Cart::fmt'],
  ['<T as core::convert::Into<U>>::into', 'core::convert::Into<T>::into'],
  ['pay@@GLIBC_2.17', 'pay'],
  ['_pay@12', '_pay'],
  ['@pay@8', 'pay'],
  ['bool Shop::operator== <Cart>', 'Shop::operator== <T>'],
  ['<redacted>', '<redacted>'],
  ['-[Shop pay:with:]', '-[Shop pay:with:]'],
  ['<stripped application code>', 'code'],
  ['()', '()'],
])('of native code, %s is %s', (written, name) => {
  expect(trimFunction(written, 'native')).toBe(name);
});

test.each([
  ['static Shop.pay(basket: Shop.Basket) -> Swift.Bool', 'Shop.pay'],
  ['Shop.pay(basket: Shop.Basket) throws -> ()', 'Shop.pay'],
  ['closure #1 (Swift.Int) -> () in Shop.pay() -> ()', 'closure in Shop.pay'],
  ['@objc @callee_guaranteed () -> ()', 'closure'],
  ['reabstraction thunk helper from thunk for @escaping @callee_guaranteed () -> ()', 'thunk for closure'],
  [
    'variable initialization expression of static Shop.basket : Shop.Basket',
    'initializer expression of Shop.basket',
  ],
  ['variable initialization expression of', 'of'],
])('of Swift, %s is %s', (written, name) => {
  expect(trimFunction(written, 'cocoa')).toBe(name);
});

test('Unity’s signatures go, other platforms’ names stay', () => {
  expect(trimFunction('Shop.Cart.Pay (System.Int32 amount)', 'csharp')).toBe('Shop.Cart.Pay');
  expect(trimFunction('void pay(int)', 'python')).toBe('void pay(int)');
});

test.each(['<', '(', '{lambda(', '@1', '&', ' const', '[clone .', 'a<', '<<a>', '$_1'])(
  'a long run of %s takes no longer than its length is worth',
  (unit) => {
    const written = unit.repeat(2_048 / unit.length);
    withinMs(1_000, () => {
      for (let round = 0; round < 20; round += 1) trimFunction(`${written}${round}`, 'native');
    });
  },
);
