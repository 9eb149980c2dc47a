import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEVELS } from '#protocol/event.ts';
import { digestEvent } from './digest-event.ts';
import { digestFixture, FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from './fixtures/digest-fixture.ts';
import {
  csharpAspnet,
  goError,
  javaChained,
  phpLaravel,
  pythonDjango,
  rubyRails,
} from './fixtures/event-samples.ts';
import { javascriptBrowser, nodeLinked } from './fixtures/javascript-samples.ts';
import { nativeMinidump } from './fixtures/native-minidump.ts';

test.each([
  [
    'a browser',
    javascriptBrowser,
    "TypeError: Cannot read properties of undefined (reading 'discount')",
    'applyCoupon(checkout/cart)',
  ],
  ['Node', nodeLinked, 'OrderError: Could not load order 9183', 'loadOrder(orders:load-order)'],
  [
    'Python',
    pythonDjango,
    "ValueError: could not convert string to float: 'twelve'",
    '/invoices/{invoice_id}/pay/',
  ],
  ['Java', javaChained, 'OrderException: Could not place order 17', 'com.acme.orders.OrderService in place'],
  [
    'Go',
    goError,
    '*fs.PathError: open /var/spool/mail/17.eml: no such file or directory',
    'acme.io/mailer/queue in (*Queue).Send',
  ],
  [
    'PHP',
    phpLaravel,
    "Illuminate\\Database\\QueryException: SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.carts' doesn't exist",
    '/app/Http/Controllers/CartController.php in class@anonymous::show',
  ],
  [
    'Ruby',
    rubyRails,
    "NoMethodError: undefined method `name' for nil:NilClass (NoMethodError)",
    'app/controllers/users_controller.rb in show',
  ],
  [
    '.NET',
    csharpAspnet,
    'System.DivideByZeroException: Attempted to divide by zero.',
    'Shop.Pages.CartModel in OnGet',
  ],
  ['a crash handler', nativeMinidump, 'render::Scene::draw', 'render::Scene::draw'],
])('an error of %s has a title and a culprit', (_, payload, title, culprit) => {
  const event = digestFixture(payload);
  expect(event).toMatchObject({ type: 'error', title, culprit, payload: { event_id: event.eventId } });
  expect(event.payload.errors?.filter((problem) => problem.type !== 'value_too_long') ?? []).toEqual([]);
});

test('what the stores filter by is derived from the payload', () => {
  const event = digestFixture(javascriptBrowser);
  expect(event).toMatchObject({
    eventId: '5f1c9a6e7d1b4c0fa7a0a3f2d6b8e911',
    occurredAt: 1_790_000_000_250,
    receivedAt: FIXTURES_RECEIVED_AT_MS,
    release: 'shop@4.12.0',
    environment: 'production',
    traceId: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
    user: { id: null, ip: '198.51.100.4' },
    sdk: { name: 'sentry.javascript.browser', version: '10.2.0' },
    metadata: {
      type: 'TypeError',
      filename: '/static/js/checkout/cart.3f2a91bc.min.js',
      function: 'applyCoupon',
    },
  });
  expect(Object.fromEntries(event.tags)).toEqual({
    level: 'error',
    environment: 'production',
    release: 'shop@4.12.0',
    user: 'ip:198.51.100.4',
    plan: 'pro',
    'a-b': 'dashed',
    url: 'https://shop.example.com/cart',
    mechanism: 'onunhandledrejection',
    handled: 'no',
    browser: 'Chrome 120.0.6099',
    'browser.name': 'Chrome',
    os: 'Windows 10',
    'os.name': 'Windows',
  });
});

test('only unparseable JSON and what is no object is discarded, with a reason', () => {
  for (const text of ['{"message": "cut o', '[]', '"text"', '']) {
    const result = digestEvent(rawItem('event', Buffer.from(text)), itemContext());
    expect(result).toMatchObject({ kind: 'discarded', outcome: 'invalid', reason: 'invalid_json' });
  }
  expect(digestFixture({})).toMatchObject({
    title: '<unlabeled event>',
    type: 'default',
    level: 'error',
    culprit: '',
  });
});

test('an event takes the envelope’s id, else its own, else one that a replay finds again', () => {
  const envelopeEventId = '9EC79C33-EC99-42AB-8353-589FCB2E04DC';
  const own = 'a'.repeat(32);
  expect(digestFixture({ message: 'm', event_id: own }, { envelopeEventId }).eventId).toBe(
    '9ec79c33ec9942ab8353589fcb2e04dc',
  );
  expect(digestFixture({ message: 'm', event_id: own }).eventId).toBe(own);
  const first = digestFixture({ message: 'm' });
  expect(first.eventId).toMatch(/^[0-9a-f]{32}$/);
  expect(digestFixture({ message: 'm' }).eventId).toBe(first.eventId);
  expect(digestFixture({ message: 'm' }, { receivedAtMs: FIXTURES_RECEIVED_AT_MS + 1 }).eventId).not.toBe(
    first.eventId,
  );
});

test('digesting the same bytes again gives the same event', () => {
  expect(digestFixture(pythonDjango)).toEqual(digestFixture(pythonDjango));
});

test('NUL reaches no store as the only parameter of a message either', () => {
  const bytes = Buffer.from('{"logentry":{"message":"m %s","params":"\\u0000"}}');
  const result = digestEvent(rawItem('event', bytes), itemContext());
  expect(result).toMatchObject({ kind: 'event' });
  expectStorable(JSON.stringify(result));
});

test('NUL and lone surrogates reach no store', () => {
  const bytes = Buffer.from(
    '{"message":"a\\u0000b \\ud83d","tags":{"k":"\\u0000v"},"extra":{"\\u0000":{"deep":"\\udc00"}},"user":{"id":"\\u0000"}}',
  );
  const result = digestEvent(rawItem('event', bytes), itemContext());
  expect(result).toMatchObject({ kind: 'event', event: { title: 'a\ufffdb \ufffd' } });
  expectStorable(JSON.stringify(result));
});

describe('any bytes are understood or refused, never thrown on', () => {
  const keys = [...new Set([...eventKeys(), '__proto__', 'constructor', 'toString'])];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '\0',
      '\ud800',
      'NaN',
      '__proto__',
      '{{auto}}',
      '{{ default }}',
      '%s %(a)s {0}',
      'x'.repeat(20_000),
    ),
  );
  const leaf = fc.oneof(
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(1e308 * 10),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.oneof(fc.constantFrom(...keys), text), tie('tree')), { maxLength: 6 })
        .map(ownEntries),
    ),
  }));
  const event = fc.array(fc.tuple(fc.constantFrom(...keys), tree), { maxLength: 12 }).map(ownEntries);

  test('arbitrary JSON under every key', () => {
    fc.assert(
      fc.property(event, fc.double(), text, (payload, sentAtMs, agent) => {
        const result = digestEvent(
          rawItem('event', payload),
          itemContext({ sentAtMs, userAgent: agent, clientIp: agent }),
        );
        expect(result.kind).toBe('event');
        if (result.kind === 'event') expectWellFormed(result.event);
      }),
      { numRuns: 1_500 },
    );
  });

  test('arbitrary JSON in place of one field of a real event', () => {
    const fixtures = [javascriptBrowser, nodeLinked, pythonDjango, csharpAspnet, nativeMinidump];
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.nat(), tree, (fixture, index, value) => {
        const result = digestEvent(rawItem('event', replaceNode(fixture, index, value)), itemContext());
        expect(result.kind).toBe('event');
        if (result.kind === 'event') expectWellFormed(result.event);
      }),
      { numRuns: 1_500 },
    );
  });

  test('truncated and damaged JSON', () => {
    const whole = Buffer.from(JSON.stringify(pythonDjango));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const bytes = cut ? whole.subarray(0, at) : Buffer.from(whole);
        if (!cut) bytes[at] = byte;
        const result = digestEvent(rawItem('event', bytes), itemContext());
        if (result.kind === 'event') expectWellFormed(result.event);
        else expect(result).toMatchObject({ kind: 'discarded', reason: 'invalid_json' });
      }),
    );
  });

  test.each(keys)('deep nesting under %s', (key) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"values":[', ']}'],
    ] as const) {
      const depth = 20_000;
      const json = `{${JSON.stringify(key)}:${open.repeat(depth)}1${close.repeat(depth)}}`;
      const result = digestEvent(rawItem('event', Buffer.from(json)), itemContext());
      expect(result.kind).toBe('event');
      if (result.kind === 'event') expectWellFormed(result.event);
    }
  });
});

const CORPUS = process.env.ERRATA_CORPUS;

describe.skipIf(CORPUS === undefined || !existsSync(join(CORPUS, 'events')))(
  'events as SDKs sent them (needs ERRATA_CORPUS, a directory with events/ and events-odd/)',
  () => {
    const files = ['events', 'events-odd'].flatMap((folder) => {
      const directory = join(CORPUS ?? '', folder);
      return existsSync(directory) ? readdirSync(directory).map((file) => join(directory, file)) : [];
    });

    test.each(files)('%s has a title, and keeps its frames', (file) => {
      const sent = JSON.parse(readFileSync(file, 'utf8'));
      const event = digestFixture({ ...sent, timestamp: FIXTURES_RECEIVED_AT_MS / 1000 });
      const exception: unknown = sent.exception ?? [];
      const values: readonly { stacktrace?: { frames?: unknown[] } }[] = Array.isArray(exception)
        ? exception
        : sent.exception.values;
      const framesSent = values.map((value) => value.stacktrace?.frames?.length ?? 0);
      expect(
        event.payload.exception?.values.map((value) => value.stacktrace?.frames.length ?? 0) ?? [],
      ).toEqual(framesSent);
      expect(event.title).not.toMatch(/^<un\w+/);
      if (framesSent.some((count) => count > 0)) expect(event.culprit).not.toBe('');
      expect(event.payload.errors ?? []).toEqual([]);
    });
  },
);

function eventKeys(): readonly string[] {
  const fields =
    'event_id type level platform timestamp received logger culprit transaction server_name release dist environment ' +
    'logentry message exception stacktrace threads breadcrumbs request user contexts tags extra modules sdk fingerprint ' +
    'debug_meta csp errors _meta sentry.interfaces.Exception sentry.interfaces.Http sentry.interfaces.User';
  const nested =
    'values frames params formatted value mechanism handled data headers cookies query_string url env method ip_address ' +
    'id email geo name version integrations packages function filename abs_path lineno in_app vars pre_context registers ' +
    'frames_omitted exception_id parent_id is_exception_group source thread_id os device runtime browser trace trace_id key';
  return `${fields} ${nested}`.split(' ');
}

/** An object with its own entries of any name; `__proto__` too, as JSON.parse makes it. */
function ownEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** A copy of a tree with its n-th node (counted around) replaced. */
function replaceNode(root: unknown, index: number, replacement: unknown): unknown {
  const count = countNodes(root);
  let left = 1 + (index % (count - 1));
  const visit = (node: unknown): unknown => {
    if (left === 0) {
      left = -1;
      return replacement;
    }
    left -= 1;
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
  };
  return visit(root);
}

function countNodes(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 1;
  return Object.values(node).reduce((sum: number, child) => sum + countNodes(child), 1);
}

function expectWellFormed(event: {
  eventId: string;
  level: string;
  groupingHash: string;
  title: string;
  culprit: string;
  occurredAt: number;
  tags: readonly unknown[];
}) {
  const json = JSON.stringify(event);
  expectStorable(json);
  expect(event.eventId).toMatch(/^[0-9a-f]{32}$/);
  expect(event.groupingHash).toMatch(/^[0-9a-f]{32}$/);
  expect(LEVELS).toContain(event.level);
  expect(event.title).not.toBe('');
  expect(event.title.length).toBeLessThanOrEqual(256);
  expect(event.culprit.length).toBeLessThanOrEqual(200);
  expect(Math.abs(event.occurredAt - FIXTURES_RECEIVED_AT_MS)).toBeLessThanOrEqual(31 * 24 * 60 * 60 * 1000);
  expect(Object.prototype).not.toHaveProperty('polluted');
}

/** JSON.stringify writes NUL and lone surrogates, and nothing else that JSON allows raw, as these escapes. */
function expectStorable(json: string) {
  expect(json).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
}
