import { describe, expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { BROWSER_FILTERS, type FilterSettings, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { digestEvent } from '../digest-event.ts';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import { compileFilters, type FilterReason } from './filters.ts';

const NOBODY = { clientIp: null, userAgent: null };

const event = (fields: Partial<NormalizedEvent>): NormalizedEvent => ({
  event_id: '0'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'javascript',
  timestamp: 1_790_000_000,
  received: 1_790_000_000,
  ...fields,
});
const thrown = (type: string | null, value: string | null): NormalizedEvent =>
  event({ exception: { values: [{ type, value }] } });
const from = (userAgent: string): NormalizedEvent =>
  event({ request: { headers: [['User-Agent', userAgent]] } });
const thrownAt = (...paths: string[]): NormalizedEvent =>
  event({
    exception: {
      values: [
        { type: 'Error', value: 'x', stacktrace: { frames: paths.map((abs_path) => ({ abs_path })) } },
      ],
    },
  });

const filterEvent = (
  settings: Partial<FilterSettings>,
  sent: NormalizedEvent,
  clientIp: string | null = null,
) => compileFilters({ ...NO_FILTERS, ...settings }).filterEvent(sent, { clientIp, userAgent: null });

/** Everything on. */
const ALL: FilterSettings = {
  browserExtensions: true,
  legacyBrowsers: BROWSER_FILTERS,
  localhost: true,
  webCrawlers: true,
  healthChecks: true,
  reactHydrationErrors: true,
  chunkLoadErrors: true,
  ipAddresses: ['10.0.0.0/8'],
  releases: ['1.*'],
  errorMessages: ['*ignore me*'],
};

test('what is off lets everything through, and what is on lets ordinary events through', () => {
  const noisy: NormalizedEvent = {
    ...from('Googlebot/2.1 '),
    release: '1.0',
    user: { ip_address: '127.0.0.1' },
    exception: { values: [{ type: 'ChunkLoadError', value: 'Loading chunk 4 failed: ignore me' }] },
  };
  expect([filterEvent({}, noisy, '10.1.1.1'), filterEvent(ALL, event({}))]).toEqual([null, null]);
  const ordinary: NormalizedEvent = {
    ...from(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ),
    release: '2.0',
    user: { ip_address: '203.0.113.9' },
    exception: { values: [{ type: 'TypeError', value: 'x is undefined' }] },
  };
  expect(filterEvent(ALL, ordinary, '203.0.113.9')).toBeNull();
});

describe('browser extensions', () => {
  test.each([
    thrown('Error', 'Extension context invalidated.'),
    thrown('TypeError', "Can't find variable: ZiteReader"),
    thrown('TypeError', "can't access dead object"),
    thrownAt('https://app.example/a.js', 'chrome-extension://abcdef/content.js'),
    thrownAt('moz-extension://1234/x.js', '<anonymous>', '[native code]'),
    thrownAt('safari-web-extension://1234/x.js'),
    thrownAt('https://fscr.kaspersky-labs.com/B-9B/main.js'),
    thrownAt('webkit-masked-url://hidden/'),
  ])('%#', (sent) => {
    expect(filterEvent({ browserExtensions: true }, sent)).toBe('browser-extensions');
  });

  test('an extension that only called the page, or a later exception, does not count', () => {
    expect(
      filterEvent(
        { browserExtensions: true },
        thrownAt('chrome-extension://abc/x.js', 'https://app.example/a.js'),
      ),
    ).toBeNull();
    const second = event({
      exception: {
        values: [
          { type: 'Error', value: 'mine' },
          { type: 'Error', value: 'fb_xd_fragment' },
        ],
      },
    });
    expect(filterEvent({ browserExtensions: true }, second)).toBeNull();
    expect(
      filterEvent({ browserExtensions: true }, thrownAt('https://a.example/?u=chrome-extension://x')),
    ).toBeNull();
  });
});

describe('legacy browsers', () => {
  const IE8 = 'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; SLCC2)';
  const IE_PHONE =
    'Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0; HTC; Radar)';
  const IE11 = 'Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko';
  const OPERA12 = 'Opera/9.80 (X11; Linux i686; Ubuntu/14.10) Presto/2.12.388 Version/12.16';
  const OPERA_MINI7 =
    'Opera/9.80 (J2ME/MIDP; Opera Mini/7.1.32052/29.3417; U; en) Presto/2.8.119 Version/11.10';
  const ANDROID2 =
    'Mozilla/5.0 (Linux; U; Android 2.3.3; de-de; HTC Desire Build/GRI40) AppleWebKit/533.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/533.1';
  const SAFARI5 =
    'Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10_6_7; en-us) AppleWebKit/533.21.1 (KHTML, like Gecko) Version/5.0.5 Safari/533.21.1';
  const SAFARI14 =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/14.1 Safari/605.1.15';
  const EDGE18 =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.102 Safari/537.36 Edge/18.19582';
  const EDGE100 =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/100.0.4896.60 Safari/537.36 Edg/100.0.1185.29';
  const FIREFOX60 = 'Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0';
  const CHROME111 =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Safari/537.36';
  const CHROME62 = CHROME111.replace('111', '62');
  const PHONE =
    'Mozilla/5.0 (Linux; Android 8.0; Pixel 2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/62.0.0.0 Mobile Safari/537.36';

  test.each([
    ['ie', IE8],
    ['ie', IE11],
    ['ie', IE_PHONE],
    ['ie_pre_9', IE8],
    ['ie9', IE_PHONE],
    ['ie11', IE11],
    ['opera', OPERA12],
    ['opera_pre_15', OPERA12],
    ['opera_mini', OPERA_MINI7],
    ['opera_mini_pre_8', OPERA_MINI7],
    ['android', ANDROID2],
    ['android_pre_4', ANDROID2],
    ['safari', SAFARI14],
    ['safari_pre_15', SAFARI14],
    ['safari_pre_6', SAFARI5],
    ['edge', EDGE100],
    ['edge_pre_79', EDGE18],
    ['firefox', FIREFOX60],
    ['firefox_pre_67', FIREFOX60],
    ['chrome', CHROME62],
    ['chrome_pre_63', CHROME62],
  ] as const)('%s means %s', (choice, userAgent) => {
    expect(filterEvent({ legacyBrowsers: [choice] }, from(userAgent))).toBe('legacy-browsers');
  });

  test.each([
    ['ie_pre_9', IE11],
    ['ie10', IE11],
    ['opera', OPERA_MINI7],
    ['safari', ANDROID2],
    ['safari_pre_6', SAFARI14],
    ['edge_pre_79', EDGE100],
    ['chrome', EDGE18],
    ['chrome', CHROME111],
    ['chrome', PHONE],
    ['chrome', CHROME62.replace('Chrome/', 'HeadlessChrome/')],
    ['firefox', 'not a browser'],
  ] as const)('%s does not mean %s', (choice, userAgent) => {
    expect(filterEvent({ legacyBrowsers: [choice] }, from(userAgent))).toBeNull();
  });
});

describe('localhost', () => {
  test.each([
    event({ user: { ip_address: '::1' } }),
    event({ request: { url: 'http://localhost:3000/a' } }),
    event({ request: { url: 'https://shop.localhost/' } }),
    event({ request: { url: 'file:///home/me/index.html' } }),
    event({ request: { headers: [['X-Forwarded-For', '127.0.0.1']] } }),
    event({ request: { headers: [['Host', 'localhost:8000']] } }),
    event({ request: { url: '/relative', headers: [['X-Forwarded-Host', '127.0.0.1:80']] } }),
  ])('%#', (sent) => {
    expect(filterEvent({ localhost: true }, sent)).toBe('localhost');
  });

  test.each([
    event({ user: { ip_address: '192.168.0.4' } }),
    event({ request: { url: 'https://localhost.example.com/' } }),
    event({ request: { url: 'https://notlocalhost/' } }),
    event({ request: { url: 'https://example.com/', headers: [['Host', 'localhost']] } }),
    event({ request: { headers: [['Host', 'localhost.example.com:80']] } }),
  ])('not %#', (sent) => {
    expect(filterEvent({ localhost: true }, sent, '127.0.0.1')).toBeNull();
  });
});

describe('web crawlers', () => {
  test.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; SomethingBot/3.0)',
    'some spider;',
    'Mozilla/5.0 (compatible; HubSpot Crawler; web-crawlers@hubspot.com)',
    'Better Uptime Bot Mozilla/5.0',
  ])('%s', (userAgent) => {
    expect(filterEvent({ webCrawlers: true }, from(userAgent))).toBe('web-crawlers');
  });

  test.each([
    'Slackbot 1.0(+https://api.slack.com/robots)',
    'Robotics Browser/3.0',
    'APIs-Google (+https://developers.google.com)',
    '',
  ])('not %j', (userAgent) => {
    expect(filterEvent({ webCrawlers: true }, from(userAgent))).toBeNull();
  });

  test('the program that delivered an event is not who caused it', () => {
    const filters = compileFilters({ ...NO_FILTERS, webCrawlers: true });
    expect(filters.filterEvent(event({}), { clientIp: null, userAgent: 'Googlebot' })).toBeNull();
  });
});

describe('errors that nobody can act on', () => {
  test.each([
    ['chunk-load-error', 'ChunkLoadError', 'Loading chunk 3662 failed.\n(error: https://a.example/x.js)'],
    ['chunk-load-error', 'ChunkLoadError', 'Failed to load chunk /_next/x.js'],
    ['chunk-load-error', 'Error', 'Uncaught (in promise): ChunkLoadError: Loading chunk 1 failed.'],
    [
      'react-hydration-errors',
      'Error',
      'Minified React error #423; visit https://reactjs.org/docs/error-decoder.html?invariant=423 for the full message',
    ],
    [
      'react-hydration-errors',
      'Error',
      'Minified React error #418; visit https://react.dev/errors/418?args[]=HTML',
    ],
  ] as const)('%s: %s: %s', (reason, type, value) => {
    const settings = { chunkLoadErrors: true, reactHydrationErrors: true };
    expect(filterEvent(settings, thrown(type, value))).toBe(reason);
    expect(filterEvent({}, thrown(type, value))).toBeNull();
  });

  test.each([
    ['TypeError', 'Loading chunk 3 failed'],
    ['Error', 'Minified React error #31; visit https://react.dev/errors/31'],
  ])('not %s: %s', (type, value) => {
    expect(
      filterEvent({ chunkLoadErrors: true, reactHydrationErrors: true }, thrown(type, value)),
    ).toBeNull();
  });
});

describe('lists of the project', () => {
  test.each([
    ['122.33.230.14', '122.33.230.14', true],
    ['122.33.230.2', '122.33.230.0/30', true],
    ['122.33.230.4', '122.33.230.0/30', false],
    ['127.0.0.1', '192.168.1.0/8', false],
    ['192.168.7.7', '192.168.1.0/16', true],
    ['a:b:c::2', 'a:b:c::0/126', true],
    ['a:b:c::5', 'a:b:c::0/126', false],
    ['::ffff:10.0.0.7', '10.0.0.0/24', true],
    ['127.0.0.1', 'lol/bar', false],
    ['10.0.0.1', '::/0', false],
  ])('%s in %s: %s', (ip, range, isIn) => {
    expect(filterEvent({ ipAddresses: ['not an address', range] }, event({}), ip)).toBe(
      isIn ? 'ip-address' : null,
    );
  });

  test('releases are globs without case', () => {
    expect(filterEvent({ releases: ['web@1.*'] }, event({ release: 'WEB@1.4' }))).toBe('release-version');
    expect(filterEvent({ releases: ['web@1'] }, event({ release: 'web@1.4' }))).toBeNull();
    expect(filterEvent({ releases: ['*'] }, event({}))).toBeNull();
  });

  test('messages are matched whole, exceptions as "Type: value"', () => {
    const settings = { errorMessages: ['TypeError: x*', 'only*', 'template %s'] };
    expect(filterEvent(settings, thrown('TypeError', 'x is undefined'))).toBe('error-message');
    expect(filterEvent(settings, thrown('Only', null))).toBe('error-message');
    expect(filterEvent(settings, thrown(null, 'only this'))).toBe('error-message');
    expect(filterEvent(settings, event({ logentry: { formatted: 'only words' } }))).toBe('error-message');
    expect(filterEvent(settings, thrown('RangeError', 'x'))).toBeNull();
    // The formatted message stands for its template.
    expect(
      filterEvent(settings, event({ logentry: { message: 'template %s', formatted: 'template one' } })),
    ).toBeNull();
  });
});

test('the first filter in the order of the reference names the reason', () => {
  const sent: NormalizedEvent = {
    ...from('Googlebot/2.1'),
    release: '1.0',
    user: { ip_address: '127.0.0.1' },
    exception: { values: [{ type: 'ChunkLoadError', value: 'Loading chunk ignore me' }] },
  };
  const order: FilterReason[] = [];
  const settings = { ...ALL };
  const off: Record<string, () => void> = {
    'chunk-load-error': () => Object.assign(settings, { chunkLoadErrors: false }),
    'ip-address': () => Object.assign(settings, { ipAddresses: [] }),
    'release-version': () => Object.assign(settings, { releases: [] }),
    'error-message': () => Object.assign(settings, { errorMessages: [] }),
    localhost: () => Object.assign(settings, { localhost: false }),
    'web-crawlers': () => Object.assign(settings, { webCrawlers: false }),
  };
  for (;;) {
    const reason = compileFilters(settings).filterEvent(sent, { clientIp: '10.0.0.1', userAgent: null });
    if (reason === null) break;
    order.push(reason);
    off[reason]?.();
  }
  expect(order).toEqual([
    'chunk-load-error',
    'ip-address',
    'release-version',
    'error-message',
    'localhost',
    'web-crawlers',
  ]);
});

describe('other items', () => {
  const facts = { name: '/api/users', release: null, userAgent: null, url: null };

  test.each(['/healthz', 'GET /api/live', 'a_HEALTHCHECK_b', '/ping', 'service.heartbeat'])(
    'transaction %s is a health check',
    (name) => {
      expect(compileFilters(ALL).filterTransaction({ ...facts, name }, NOBODY)).toBe('filtered-transaction');
      expect(compileFilters(NO_FILTERS).filterTransaction({ ...facts, name }, NOBODY)).toBeNull();
    },
  );

  test.each(['/health/details', 'health', '/livery', '/healthy/x'])('transaction %s is none', (name) => {
    expect(compileFilters(ALL).filterTransaction({ ...facts, name }, NOBODY)).toBeNull();
  });

  test('an event with the name of a health check is not one', () => {
    expect(filterEvent(ALL, event({ transaction: '/healthz' }))).toBeNull();
  });

  test('transactions and lone items are filtered by sender, release, browser and place', () => {
    const filters = compileFilters(ALL);
    const sender = { clientIp: '10.2.3.4', userAgent: 'sentry.python/2.0' };
    expect(filters.filterTransaction(facts, sender)).toBe('ip-address');
    expect(filters.filterTransaction({ ...facts, release: '1.5' }, NOBODY)).toBe('release-version');
    expect(filters.filterTransaction({ ...facts, url: 'http://localhost/' }, NOBODY)).toBe('localhost');
    expect(filters.filterTransaction({ ...facts, userAgent: 'Googlebot' }, NOBODY)).toBe('web-crawlers');
    expect(filters.filterSender({ release: null, userAgent: null }, sender)).toBe('ip-address');
    expect(filters.filterSender({ release: '1.5', userAgent: null }, NOBODY)).toBe('release-version');
    expect(filters.filterSender({ release: null, userAgent: 'Googlebot' }, NOBODY)).toBe('web-crawlers');
    // A session or replay says little of its browser: who delivered it is who made it.
    expect(
      filters.filterSender({ release: null, userAgent: null }, { clientIp: null, userAgent: 'Googlebot' }),
    ).toBe('web-crawlers');
    expect(filters.filterSender({ release: '2.0', userAgent: null }, NOBODY)).toBeNull();
  });
});

test('a digested event that a filter matches is dropped with the filter as its reason', () => {
  const rules = compileIngestRules({
    filters: { ...NO_FILTERS, releases: ['1.*'] },
    privacy: {
      defaultRules: false,
      scrubIpAddresses: false,
      sensitiveFields: [],
      safeFields: [],
      advancedRules: [],
      textAttachments: 'keep',
      recordings: 'keep',
    },
    spike: { isEnabled: true, bodiesPerHour: 1_000 },
    performance: { isEnabled: false, disabledDetectors: [] },
  });
  expect(
    digestEvent(rawItem('event', { message: 'x', release: '1.2' }), itemContext({ rules })),
  ).toMatchObject({
    kind: 'discarded',
    outcome: 'filtered',
    reason: 'release-version',
  });
});

test('costs little: nothing when all are off, microseconds with all on', (context) => {
  context.skip(!process.env.ERRATA_TEST_FULL, 'part of npm run test:full');
  const sent = thrownAt('https://app.example/a.js');
  const microseconds = (settings: FilterSettings): number => {
    const filters = compileFilters(settings);
    const rounds = 20_000;
    for (let round = 0; round < 2_000; round += 1) filters.filterEvent(sent, NOBODY);
    const started = performance.now();
    for (let round = 0; round < rounds; round += 1) filters.filterEvent(sent, NOBODY);
    return ((performance.now() - started) * 1_000) / rounds;
  };
  expect(microseconds(NO_FILTERS)).toBeLessThan(5);
  expect(microseconds(ALL)).toBeLessThan(100);
});
