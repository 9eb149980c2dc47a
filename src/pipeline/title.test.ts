import { expect, test } from 'vitest';
import { digestFixture } from './fixtures/digest-fixture.ts';

const frames = [{ function: 'handle', filename: 'a.py', in_app: true }];

test.each([
  ['type and first line of the value', { exception: { type: 'E', value: '  one\n two' } }, 'E: one'],
  ['the type alone', { exception: { type: 'E', value: '' } }, 'E'],
  ['the function when the type is missing', { exception: { stacktrace: { frames } } }, 'handle'],
  ['the value when there is no more', { exception: { value: 'just text' } }, 'just text'],
  ['the message beside an empty exception', { exception: { mechanism: { type: 'x' } }, message: 'm' }, 'm'],
  ['what cannot be known', { exception: { mechanism: { type: 'x' } } }, '<unknown>'],
  [
    'a message that came with a stack trace',
    {
      message: 'The card was refused',
      exception: { value: 'The card was refused', mechanism: { synthetic: true }, stacktrace: { frames } },
    },
    'The card was refused',
  ],
  ['the first line of a message', { message: 'first\r\nsecond' }, 'first'],
  ['a formatted message', { logentry: { message: 'hi %s', params: ['you'] } }, 'hi you'],
  ['nothing', {}, '<unlabeled event>'],
  [
    'a synthetic exception of a language',
    {
      platform: 'javascript',
      exception: { type: 'Error', value: 'text', mechanism: { synthetic: true }, stacktrace: { frames } },
    },
    'Error: text',
  ],
  [
    'a signal in unnamed code',
    { platform: 'native', exception: { type: 'SIGSEGV', value: 'Segfault', mechanism: { synthetic: true } } },
    'SIGSEGV: Segfault',
  ],
  [
    'a blocked script',
    { csp: { effective_directive: 'script-src-elem', blocked_uri: 'https://evil.example/x.js' } },
    "Blocked 'script' from 'evil.example'",
  ],
  [
    'a blocked inline style',
    { csp: { violated_directive: "style-src 'self'", blocked_uri: 'inline' } },
    "Blocked inline 'style'",
  ],
])('the title is made of %s', (_, payload, title) => {
  expect(digestFixture(payload).title).toBe(title);
});

test('a long title is cut at 256 characters', () => {
  const { title } = digestFixture({ message: 'x'.repeat(1_000) });
  expect(title).toHaveLength(256);
  expect(title.endsWith('…')).toBe(true);
});

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
