import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDestinationSender } from '#delivery/http/http-sender.ts';
import type { DestinationSender } from '#delivery/ports/destination-sender.ts';
import { networkWith, parseAllowedInside } from '#lib/guarded-request/network.ts';
import { checkDestination } from '#product/destinations/check-destination.ts';
import { DESTINATION_KINDS, type DestinationKind } from '#product/destinations/destination-kinds.ts';
import type { AlertMessage } from '#product/messages/alert-message.ts';
import { headlineOf } from '#product/messages/describe-alert.ts';
import { formatMessage } from '#product/messages/format-message.ts';
import { SERVICES } from './harness/check-formats.ts';
import { type FakeService, startFakeService } from './harness/fake-services.ts';
import {
  alertIssue,
  alertMessage,
  alertMetric,
  hostileMessage,
  PUBLIC_URL,
  sampleIssue,
  wideMessage,
} from './harness/sample-alert.ts';

const ID = '0b6c0f9e-1c1b-4d6e-9a54-3f1f8f0a5b11';
const sender: DestinationSender = createDestinationSender(networkWith(parseAllowedInside('127.0.0.1')));

const MESSAGES: Readonly<Record<string, AlertMessage>> = {
  'one issue': alertMessage(),
  'twenty issues': alertMessage({
    headline: '20 issues in shop',
    intro: '20 issues came together since 2026-03-01 12:00 UTC.',
    issues: Array.from({ length: 20 }, () => alertIssue({ crashLocation: null, event: null })),
  }),
  'a storm': alertMessage({
    headline: 'Alert storm: 5,000 issues in shop',
    intro: '5,000 issues since 2026-03-01 12:00 UTC: too many to tell one by one.',
    issues: Array.from({ length: 20 }, (_, index) =>
      alertIssue({ issue: sampleIssue({ shortId: `SHOP-${index}` }), event: null }),
    ),
    issuesLeft: 4_980,
  }),
  'a metric': alertMessage({
    headline: 'Critical: Too many errors',
    tone: 'fatal',
    issues: [],
    metrics: [alertMetric()],
  }),
  'a metric that is over': alertMessage({
    tone: 'ok',
    issues: [],
    metrics: [alertMetric({ state: 'ok', value: null })],
  }),
  'twenty metrics and issues': alertMessage({
    issues: Array.from({ length: 20 }, () => alertIssue()),
    metrics: Array.from({ length: 20 }, (_, ruleId) => alertMetric({ ruleId })),
  }),
  'a test': alertMessage({
    isTest: true,
    headline: 'This is a test',
    intro: 'Ana tries it.',
    issues: [],
    rules: [],
  }),
  'twenty metrics of long names': alertMessage({
    issues: [],
    metrics: Array.from({ length: 20 }, (_, ruleId) =>
      alertMetric({ ruleId, name: `Rule ${ruleId} ${'n'.repeat(90)}`, query: 'q'.repeat(300) }),
    ),
  }),
  'one issue in wide letters': wideMessage(1),
  'twenty issues in wide letters': wideMessage(20),
  'an issue that calls everybody': hostileMessage(1),
  'twenty issues that call everybody': hostileMessage(20),
};

describe.each(DESTINATION_KINDS)('%s', (kind) => {
  const { check, success, fields } = SERVICES[kind];
  let service: FakeService;
  beforeAll(async () => {
    service = await startFakeService(check, success);
  });
  afterAll(async () => {
    await service?.close();
  });

  const send = async (message: AlertMessage) => {
    const before = service.received.length;
    const { config, secret } = checkDestination(kind, fields(service.url), null);
    const parts = formatMessage(kind, message, ID, PUBLIC_URL);
    const result = await sender.send({ kind, deliveryId: ID, config, secret, parts });
    return { result, received: service.received.slice(before) };
  };

  test.each(Object.entries(MESSAGES))('takes %s', async (_, message) => {
    const { result, received } = await send(message);
    expect(received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(result).toMatchObject({ kind: 'sent' });
    expect(received.length).toBeGreaterThan(0);
    for (const { headers } of received) expect(headers['errata-delivery']).toBe(ID);
  });

  test('tells what a person needs to decide', async () => {
    const { received } = await send(alertMessage());
    // As a person reads it: without what keeps texts from being markup.
    const text = received[0]!.text.replace(/\\+(?=[^"\\nu])|\u2060/g, '').replace(/<[^>]*>/g, '');
    for (const told of [
      'TypeError: coupon is undefined',
      'SHOP-1A',
      'applyCoupon in checkout/cart.ts:84',
      '1,234 events',
      '56 users',
      '2026-03-01 11:59 UTC',
      'shop@1.2.3',
      'production',
      'Coupons may expire',
      'Ben',
    ]) {
      // The webhook has them as fields of their own.
      if (kind !== 'webhook') expect(text.replaceAll('\\', '')).toContain(told);
    }
    expect(received[0]!.text).toContain(`${PUBLIC_URL}/main/issues/SHOP-1A`);
  });

  // A format that has no room for twenty names fewer, and counts more.
  test.each([
    ['a storm', 5_000],
    ['twenty issues in wide letters', 20],
    ['twenty issues that call everybody', 5_000],
  ])('of %s names or counts every one', async (name, total) => {
    const { received } = await send(MESSAGES[name]!);
    const told = received.map(({ text }) => text.replaceAll('\\', '')).join();
    const named = new Set(told.match(/SHOP-[0-9A-Z]+/g)).size;
    const [, left = '0'] =
      told
        .match(/and (?:\d+ more metrics? and )?([\d,]+) more issue|not_named":(\d+)|Not named":"(\d+)/)
        ?.filter(Boolean) ?? [];
    expect(named + Number(left.replace(',', ''))).toBe(total);
  });

  test('names or counts every metric', async () => {
    const { received } = await send(MESSAGES['twenty metrics of long names']!);
    const told = received.map(({ text }) => text).join();
    const named = new Set(told.match(/Rule \d+ n/g)).size;
    const left = told.match(/and (\d+) more metric/)?.[1] ?? '0';
    expect([named > 0, named + Number(left)]).toEqual([true, 20]);
  });

  test('what is wrong with the service is told in a sentence', async () => {
    service.answerWith({ status: 404, body: 'no_service' });
    const { result } = await send(alertMessage());
    service.answerWith(null);
    expect(result).toMatchObject({ kind: 'refused', status: 404 });
    expect(result.kind === 'refused' && result.reason).toMatch(/\(404\): .{10,}/);
  });
});

/** Every text and every address of a message, wherever they stand. */
function leaves(value: unknown, key = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => leaves(part, Array.isArray(value) ? key : name));
}

const bodyOf = (kind: DestinationKind) =>
  formatMessage(kind, hostileMessage(1), ID, PUBLIC_URL).map(({ body }) => body);

describe('texts of programs call nobody and are no markup', () => {
  test('every link leads to us', () => {
    for (const kind of DESTINATION_KINDS.filter((each) => each !== 'webhook')) {
      const urls = leaves(bodyOf(kind)).filter(([key]) =>
        ['url', 'href', 'click', 'client_url'].includes(key),
      );
      expect([kind, urls.filter(([, url]) => !url.startsWith(PUBLIC_URL))]).toEqual([kind, []]);
    }
  });

  test('Slack: all of it is text in blocks that know no markup, and escaped beside them', () => {
    const [body] = bodyOf('slack');
    expect(String(body?.text)).not.toMatch(/<[!@#]/);
    expect(JSON.stringify(body)).not.toContain('mrkdwn');
  });

  test('Discord: nobody may be called, and marks are escaped', () => {
    const [body] = bodyOf('discord');
    expect(body?.allowed_mentions).toEqual({ parse: [] });
    const texts = leaves((body as { embeds: unknown }).embeds).filter(([key]) =>
      ['value', 'title'].includes(key),
    );
    for (const [, text] of texts) expect(text).not.toMatch(/(?<![\p{L}\p{N}])@\p{L}|(?<!\\)[*_`~|<]/u);
  });

  test('Mattermost: no name follows an at sign, and marks are escaped', () => {
    const [body] = bodyOf('mattermost');
    for (const [key, text] of leaves(body)) {
      if (key === 'color') continue;
      expect(text).not.toMatch(/(?<![\p{L}\p{N}])@\p{L}/u);
      if (key === 'value') expect(text).not.toMatch(/(?<!\\)[*_`~|[\]]/);
    }
  });

  test('Telegram: names stand in code only', () => {
    const [body] = bodyOf('telegram');
    expect(
      String(body?.text)
        .replace(/<code>[^<]*<\/code>/g, '')
        .replace(/<a [^>]*>[^<]*<\/a>/g, ''),
    ).not.toMatch(/@|everyone|evil/);
  });

  test('Google Chat: no text but that of cards, and no tags but ours', () => {
    const [body] = bodyOf('google_chat');
    expect(Object.keys(body ?? {})).toEqual(['cardsV2']);
    for (const [key, text] of leaves(body)) {
      if (key === 'text')
        expect(text.replace(/<\/?(b|br|a)( href="https:\/\/errors\.example\.com[^"]*")?>/g, '')).not.toMatch(
          /[<>]/,
        );
    }
  });

  test('Teams: every text is a run, in which nothing is markup', () => {
    const [body] = bodyOf('msteams');
    expect(JSON.stringify(body)).not.toContain('"TextBlock"');
    expect(JSON.stringify(body)).not.toContain('FactSet');
  });

  test('ntfy: it is not told to read Markdown', () => {
    expect(bodyOf('ntfy')[0]).not.toHaveProperty('markdown');
  });
});

test('the headline counts what is not named, and calls only issues a storm', () => {
  const firings = { named: [], issues: 0, metrics: 0, total: 0, firstAt: null, ruleIds: [] };
  const headline = (told: Partial<AlertMessage>) =>
    headlineOf({ ...alertMessage({ issues: [], ...told }), firings });
  const metrics = [alertMetric(), alertMetric({ ruleId: 10 })];
  expect(headline({ metrics, metricsLeft: 20 })).toBe('Critical: Too many errors, 21 more metrics');
  expect(headline({ issues: [alertIssue()], metrics: metrics.slice(0, 1) })).toBe(
    'Critical: Too many errors, New issue: TypeError: coupon is undefined',
  );
  expect(headline({ issues: [alertIssue(), alertIssue()] })).toBe('2 issues in shop');
  expect(headline({ issues: [alertIssue(), alertIssue()], issuesLeft: 40 })).toBe(
    'Alert storm: 42 issues in shop',
  );
});

describe('PagerDuty', () => {
  const events = (message: AlertMessage) =>
    formatMessage('pagerduty', message, ID, PUBLIC_URL).map(({ body }) => body);

  test('an issue and a metric are the same incident every time; a metric that is over resolves its own', () => {
    expect(events(alertMessage())).toMatchObject([{ event_action: 'trigger', dedup_key: 'errata-issue-42' }]);
    const metrics = [alertMetric(), alertMetric({ ruleId: 10, state: 'ok' })];
    expect(events(alertMessage({ issues: [], metrics }))).toMatchObject([
      { event_action: 'trigger', dedup_key: 'errata-metric-9', payload: { severity: 'critical' } },
      { event_action: 'resolve', dedup_key: 'errata-metric-10' },
    ]);
  });

  test('a test wakes nobody for long', () => {
    expect(events(MESSAGES['a test']!)).toMatchObject([
      { event_action: 'trigger', payload: { severity: 'info' } },
      { event_action: 'resolve' },
    ]);
  });
});

describe('the webhook', () => {
  test('has the event as Sentry sends it, and every issue besides', () => {
    const [part] = formatMessage('webhook', MESSAGES['a storm']!, ID, PUBLIC_URL);
    expect(part?.resource).toBe('event_alert');
    expect(part?.body).toMatchObject({
      action: 'triggered',
      data: {
        event: { issue_id: '42', issue_url: `${PUBLIC_URL}/api/0/issues/42/` },
        triggered_rule: 'New issues',
        errata: { delivery: ID, issues_not_named: 4_980 },
      },
    });
    expect((part!.body as { data: { errata: { issues: unknown[] } } }).data.errata.issues).toHaveLength(20);
  });

  test('an event of any size stays within the bound, and says what was left out', () => {
    const told = alertIssue();
    const payload = {
      ...told.event!.payload,
      breadcrumbs: { values: Array.from({ length: 3_000 }, () => ({ message: 'x'.repeat(300) })) },
      extra: { big: 'y'.repeat(300_000) },
    };
    const huge = alertMessage({ issues: [{ ...told, event: { ...told.event!, payload } }] });
    const [part] = formatMessage('webhook', huge, ID, PUBLIC_URL);
    expect(JSON.stringify(part).length).toBeLessThan(300_000);
    const { event } = (part!.body as { data: { event: Record<string, unknown> } }).data;
    expect(event.errata_left_out).toEqual(['extra', 'breadcrumbs']);
    expect(event.exception).toEqual(payload.exception);
  });
});
