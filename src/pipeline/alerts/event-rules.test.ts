import { describe, expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { ALERT_ATTRIBUTES, type EventFilter, TEXT_MATCHES, type TextMatch } from '#protocol/event-filter.ts';
import { combineVerdicts, compileEventFilter, readEvent } from './event-rules.ts';
import { type AlertEvent, attributeValues } from './event-values.ts';

const PAYLOAD = {
  event_id: '0'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'python',
  timestamp: 1,
  received: 1,
  exception: {
    values: [
      {
        type: 'KeyError',
        value: 'cart',
        mechanism: { handled: true },
        stacktrace: { frames: [{ module: 'shop.cart', filename: 'cart.py', abs_path: '/srv/cart.py' }] },
      },
      {
        type: 'CheckoutError',
        value: 'no total',
        mechanism: { handled: false },
        stacktrace: {
          frames: [
            {
              filename: 'checkout.py',
              package: 'shop',
              pre_context: ['def pay():'],
              context_line: '  raise CheckoutError(total)',
              post_context: ['', '# end'],
            },
          ],
        },
      },
    ],
  },
  request: { url: 'https://shop.example/checkout?step=2', method: 'POST' },
  user: { id: '7', email: 'Ana@Example.com', username: 'ana', ip_address: '203.0.113.7' },
  sdk: { name: 'sentry.python' },
  contexts: {
    response: { status_code: 502 },
    device: { screen_width_pixels: 1080, screen_density: 2.5 },
    app: { in_foreground: true },
    os: { distribution: { name: 'ubuntu', version: '24.04' } },
  },
} as unknown as NormalizedEvent;

const EVENT: AlertEvent = {
  level: 'error',
  environment: 'Production',
  title: 'CheckoutError: no total',
  message: 'no total',
  tags: [
    ['level', 'error'],
    ['Browser', 'Firefox 128'],
  ],
  payload: PAYLOAD,
};

const fits = (filter: EventFilter, event = EVENT): boolean =>
  compileEventFilter(filter)(readEvent(event, { left: 1_000_000 }));

const tag = (match: TextMatch, value: string, key = 'browser'): boolean =>
  fits({ kind: 'tag', key, match, value });

describe('texts', () => {
  test.each<[TextMatch, string, boolean]>([
    ['equals', 'firefox 128', true],
    ['equals', 'firefox', false],
    ['not_equals', 'FIREFOX 128', false],
    ['not_equals', 'Chrome', true],
    ['contains', 'fox', true],
    ['contains', 'chrome', false],
    ['not_contains', 'fox', false],
    ['not_contains', 'chrome', true],
    ['starts_with', 'fire', true],
    ['starts_with', 'fox', false],
    ['not_starts_with', 'fire', false],
    ['ends_with', '128', true],
    ['ends_with', 'fire', false],
    ['not_ends_with', '128', false],
    ['is_set', '', true],
    ['is_not_set', '', false],
    ['is_one_of', 'Chrome 1, FIREFOX 128', true],
    ['is_one_of', 'Chrome 1, Safari', false],
    ['is_not_one_of', 'Chrome 1, Firefox 128', false],
    ['is_not_one_of', ' , ', true],
  ])('the tag browser %s %j: %s', (match, value, expected) => {
    expect(tag(match, value)).toBe(expected);
  });

  test.each(TEXT_MATCHES.map((match) => [match, /^(not_|is_not)/.test(match)] as const))(
    'of a tag that is not there, %s is %s',
    (match, expected) => {
      expect(tag(match, 'x', 'missing')).toBe(expected);
    },
  );

  test('of several values one is enough, and for a negated match none may fit', () => {
    const type = (match: TextMatch, value: string) =>
      fits({ kind: 'attribute', attribute: 'exception.type', match, value });
    expect(type('equals', 'keyerror')).toBe(true);
    expect(type('not_equals', 'KeyError')).toBe(false);
    expect(type('not_equals', 'TypeError')).toBe(true);
  });
});

test.each([
  ['equals', 'error', true],
  ['equals', 'fatal', false],
  ['at_least', 'warning', true],
  ['at_least', 'fatal', false],
  ['at_most', 'fatal', true],
  ['at_most', 'info', false],
] as const)('an error against the level %s %s: %s', (match, level, expected) => {
  expect(fits({ kind: 'level', match, level })).toBe(expected);
});

test('every attribute is read from its place', () => {
  const values = Object.fromEntries(ALERT_ATTRIBUTES.map((name) => [name, attributeValues(EVENT, name)]));
  expect(values).toEqual({
    message: ['no total', 'checkouterror: no total'],
    platform: ['python'],
    environment: ['production'],
    type: ['error'],
    'error.handled': ['true', 'false'],
    'error.unhandled': ['false', 'true'],
    'exception.type': ['keyerror', 'checkouterror'],
    'exception.value': ['cart', 'no total'],
    'user.id': ['7'],
    'user.email': ['ana@example.com'],
    'user.username': ['ana'],
    'user.ip_address': ['203.0.113.7'],
    'http.method': ['post'],
    'http.url': ['https://shop.example/checkout?step=2'],
    'http.status_code': ['502'],
    'sdk.name': ['sentry.python'],
    'stacktrace.code': ['  raise checkouterror(total)', 'def pay():', '# end'],
    'stacktrace.module': ['shop.cart'],
    'stacktrace.filename': ['checkout.py', 'cart.py'],
    'stacktrace.abs_path': ['/srv/cart.py'],
    'stacktrace.package': ['shop'],
    'device.screen_width_pixels': ['1080'],
    'device.screen_height_pixels': [],
    'device.screen_dpi': [],
    'device.screen_density': ['2.5'],
    'app.in_foreground': ['true'],
    'os.distribution_name': ['ubuntu'],
    'os.distribution_version': ['24.04'],
  });
});

test('of an event without a body there is nothing to read', () => {
  const bare = { ...EVENT, payload: { platform: 'other', type: 'default' } as NormalizedEvent };
  for (const attribute of ALERT_ATTRIBUTES) {
    if (['message', 'platform', 'environment', 'type'].includes(attribute)) continue;
    expect(attributeValues(bare, attribute)).toEqual([]);
  }
});

test('no more than so many characters of an attribute are looked at, the innermost call first', () => {
  const frames = Array.from({ length: 3_000 }, (_, index) => ({ filename: `${index}`.padStart(100, 'x') }));
  const payload = { ...PAYLOAD, exception: { values: [{ stacktrace: { frames } }] } };
  const values = attributeValues({ ...EVENT, payload }, 'stacktrace.filename');
  expect(values[0]).toMatch(/2999$/);
  expect(values.join('').length).toBe(100_000);
});

describe('verdicts', () => {
  test.each([
    ['all', [true, true], false, true],
    ['all', [true, false], true, false],
    ['all', [true], true, null],
    ['all', [], false, true],
    ['any', [false, true], true, true],
    ['any', [false], true, null],
    ['any', [false], false, false],
    ['any', [], false, true],
    ['none', [false], false, true],
    ['none', [false], true, null],
    ['none', [true], true, false],
    ['none', [], false, true],
  ] as const)('%s of %j, others open: %s → %s', (match, known, others, expected) => {
    expect(combineVerdicts(match, known, others)).toBe(expected);
  });
});
