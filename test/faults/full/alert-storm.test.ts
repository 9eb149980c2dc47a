import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALERT_SCOPES,
  addRule,
  type OpenDestination,
  openDestination,
} from '../../harness/alert-destinations.ts';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import type { ReceivedMessage } from '../../harness/fake-services.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../../harness/mail-server.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const ISSUES = 5_000;
const STORM_MS = 60_000;
/** Three at once within the hour, then gaps of 1, 2 and 5 minutes until all is told. */
const MESSAGES_MAX = 6;
const ANSWER_P99_MS_MAX = 250;
const ATTRIBUTE = 'sentry.rules.filters.event_attribute.EventAttributeFilter';

let server: ErrataServer;
let api: ApiClient;
let mails: MailServer;
let hook: OpenDestination;

beforeAll(async () => {
  mails = await startMailServer();
  server = await startErrata({
    env: {
      ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1',
      ERRATA_SMTP_URL: mails.url,
      ERRATA_MAIL_FROM: 'errata@example.com',
    },
  });
  api = createApiClient(server.url, await server.token(ALERT_SCOPES));
});
afterAll(async () => {
  await hook?.service.close();
  await server?.[Symbol.asyncDispose]();
  await mails?.close();
});

test('5,000 new issues in a minute: few messages, every issue named or counted, and ingest stays as fast', async () => {
  const dsn = parseDsn(await server.project('storm'));
  hook = await openDestination(api, 'webhook');
  // One that every event has to be read for.
  const filters = [{ id: ATTRIBUTE, attribute: 'platform', match: 'eq', value: 'javascript' }];
  await addRule(api, 'storm', [hook.id], { filters });
  const answerMs: number[] = [];
  const sending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let issue = 0; issue < ISSUES; issue++) {
    const waitMs = startedAt + (issue / ISSUES) * STORM_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const askedAt = performance.now();
    const event = makeJavascriptError({ issue, bytes: 3_000 });
    sending.push(
      postEnvelope(dsn, eventEnvelope(event)).then(({ status }) => {
        expect(status).toBe(200);
        answerMs.push(performance.now() - askedAt);
      }),
    );
  }
  await Promise.all(sending);
  answerMs.sort((a, b) => a - b);
  const p99 = answerMs[Math.floor(answerMs.length * 0.99)] ?? 0;

  const isTold = () => countNotified() >= ISSUES && countMailed() >= ISSUES;
  await until('every issue to be told, and mailed', isTold, { timeoutMs: 10 * 60_000, everyMs: 1_000 });
  const afterMs = performance.now() - startedAt - STORM_MS;
  console.log(
    `answers p50 ${answerMs[Math.floor(answerMs.length / 2)]?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${hook.service.received.length} messages, ${mails.received.length} mails; all told ${Math.round(afterMs / 1_000)} s after the storm`,
  );
  expect([countNotified(), countMailed()]).toEqual([ISSUES, ISSUES]);
  expect(hook.service.received.flatMap(({ problems }) => problems)).toEqual([]);
  expect(hook.service.received.length).toBeLessThanOrEqual(MESSAGES_MAX);
  expect(mails.received.length).toBeLessThanOrEqual(MESSAGES_MAX);
  expect(hook.service.received.at(-1)?.text).toContain('Alert storm: ');
  const named = hook.service.received.flatMap((message) => issuesOf(message).issues.map(({ id }) => id));
  expect(new Set(named).size).toBe(named.length);
  const mailed = mails.received.flatMap(namedBy);
  expect(new Set(mailed).size).toBe(mailed.length);
  expect(p99).toBeLessThan(ANSWER_P99_MS_MAX);
});

type Told = { issues: { id: string }[]; issues_not_named: number };

const issuesOf = ({ body }: ReceivedMessage): Told => (body as { data: { errata: Told } }).data.errata;

const countNotified = (): number =>
  hook.service.received.reduce((sum, message) => {
    const { issues, issues_not_named } = issuesOf(message);
    return sum + issues.length + issues_not_named;
  }, 0);

/** Short ids of the issues that a mail names. */
const namedBy = ({ plain }: ReceivedMail): readonly string[] => plain.match(/^\* STORM-[0-9A-Z]+ /gm) ?? [];

const countMailed = (): number =>
  mails.received.reduce((sum, mail) => {
    const left = /^\* and ([\d,]+) more issues?$/m.exec(mail.plain)?.[1] ?? '0';
    return sum + namedBy(mail).length + Number(left.replaceAll(',', ''));
  }, 0);
