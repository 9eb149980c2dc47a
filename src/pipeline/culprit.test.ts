import { expect, test } from 'vitest';
import { digestFixture } from './fixtures/digest-fixture.ts';

const crashIn = (platform: string, frame: object, more = {}) =>
  digestFixture({
    platform,
    exception: { type: 'E', stacktrace: { frames: [{ in_app: true, ...frame }] } },
    ...more,
  }).culprit;

test('the transaction says where, before the frames do', () => {
  expect(crashIn('python', { module: 'a.b', function: 'f' }, { transaction: 'GET /x' })).toBe('GET /x');
});

test.each([
  [
    'javascript',
    { filename: 'https://h/static/js/checkout/cart.3f2a91bc.min.js', function: 'applyCoupon' },
    'applyCoupon(checkout/cart)',
  ],
  [
    'javascript',
    { filename: 'https://h/_next/static/chunks/app/[org]/page-6f1a2b3c4d5e6f70.js' },
    '?(app/[org]/page)',
  ],
  [
    'javascript',
    { filename: 'webpack-internal:///./src/Button.tsx', function: 'render' },
    'render(src/Button)',
  ],
  ['javascript', { filename: 'https://h/7f3a9b1c.js', function: 'f' }, 'f(7f3a9b1c)'],
  ['node', { module: 'orders:load', filename: '/srv/orders/load.js', function: 'load' }, 'load(orders:load)'],
  ['python', { module: 'billing.views', function: 'pay' }, 'billing.views in pay'],
  [
    'php',
    { filename: '/app/Cart.php', function: 'class@anonymous\0/app/Cart.php:3$0::show' },
    '/app/Cart.php in class@anonymous::show',
  ],
  ['go', { module: 'main', function: 'run' }, 'main in run'],
  ['ruby', { filename: 'app/models/user.rb' }, 'app/models/user.rb'],
  ['cocoa', { package: '/Applications/A.app/A', function: '-[Cart show]' }, '-[Cart show]'],
  ['native', { package: 'C:\\acme\\studio.exe' }, 'studio.exe'],
  ['java', { module: 'com.acme.A', function: 'b', platform: 'native' }, 'b'],
])('%s names its code its own way', (platform, frame, culprit) => {
  expect(crashIn(platform, frame)).toBe(culprit);
});

test('without frames it is the page’s address, else empty', () => {
  expect(digestFixture({ message: 'm', request: { url: 'https://h/p?q=1' } }).culprit).toBe('https://h/p');
  expect(digestFixture({ message: 'm' }).culprit).toBe('');
});
