import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { INTERNET, networkWith, parseAllowedInside } from '#lib/guarded-request/network.ts';
import type { SendJob } from '../ports/destination-sender.ts';
import { createDestinationSender } from './http-sender.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 12);
const LOOPBACK = networkWith(parseAllowedInside('127.0.0.1'));
const sender = createDestinationSender(LOOPBACK, () => NOW_MS);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const job = (url: string, overrides: Partial<SendJob> = {}): SendJob => ({
  kind: 'webhook',
  deliveryId: 'id-1',
  config: {},
  secret: { url: `${url}/hook`, signingSecret: 'secret' },
  parts: [{ body: { a: 1 } }],
  ...overrides,
});

const answerOf = async (status: number, headers: Record<string, string> = {}, body = '') => {
  const url = await serve((_request, response) => response.writeHead(status, headers).end(body));
  return await sender.send(job(url));
};

describe('what an answer means', () => {
  test.each([200, 201, 202, 204])('%i is taken', async (status) => {
    expect(await answerOf(status)).toEqual({ kind: 'sent', status });
  });

  test.each([408, 425, 500, 502, 503, 504])('%i may go well later', async (status) => {
    expect(await answerOf(status)).toMatchObject({ kind: 'try_later', status, afterMs: null });
  });

  test.each([
    [400, /check the destination's URL and settings/],
    [401, /credentials were rejected: save new ones/],
    [403, /credentials were rejected: save new ones/],
    [404, /the URL no longer exists/],
    [405, /does not accept messages/],
    [410, /the URL no longer exists/],
    [413, /too large/],
  ])('%i is final, and says what to do', async (status, next) => {
    expect(await answerOf(status)).toMatchObject({
      kind: 'refused',
      status,
      reason: expect.stringMatching(next),
    });
  });

  test.each([
    ['7', 7_000],
    ['0.5', 500],
    [new Date(NOW_MS + 90_000).toUTCString(), 90_000],
    [new Date(NOW_MS - 90_000).toUTCString(), 0],
    ['999999', 6 * 3_600_000],
    ['soon', null],
    ['-1', null],
  ])('429 with Retry-After %s waits for %s ms', async (header, afterMs) => {
    expect(await answerOf(429, { 'retry-after': header })).toMatchObject({
      kind: 'try_later',
      status: 429,
      afterMs,
    });
  });

  test('a redirect is not followed, and the sentence names where it leads', async () => {
    let inner = 0;
    const target = await serve((_request, response) => {
      inner++;
      response.end();
    });
    expect(await answerOf(302, { location: `${target}/x?token=1` })).toMatchObject({
      kind: 'refused',
      reason: `The webhook rejected the message (302): the URL redirects, to ${target}: save the URL it redirects to`,
    });
    expect(inner).toBe(0);
  });

  test('what a server says is cut, on one line, and seen', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(400).end(JSON.stringify({ message: `no\n\u202e${'x'.repeat(500)}` })),
    );
    const result = await sender.send(job(url, { kind: 'discord', secret: { url } }));
    expect(result).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('(400): no [U+202E]xxx'),
    });
    expect((result as { reason: string }).reason.length).toBeLessThan(300);
  });
});

describe('what services say in their own way', () => {
  const ask = async (overrides: Partial<SendJob>, status: number, body: string) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body));
    const secret = { url, botToken: '1:a', topic: 't', routingKey: 'k' };
    return await sender.send(job(url, { secret, config: { server: url, chatId: '1' }, ...overrides }));
  };

  test('how long to wait', async () => {
    expect(await ask({ kind: 'discord' }, 429, '{"retry_after":1.2}')).toMatchObject({ afterMs: 1_200 });
    expect(
      await ask({ kind: 'telegram' }, 429, '{"ok":false,"parameters":{"retry_after":30}}'),
    ).toMatchObject({
      afterMs: 30_000,
    });
  });

  test.each([
    ['slack', 404, 'no_service', 'the webhook was disabled or deleted in Slack'],
    ['slack', 403, 'something_new', 'the credentials were rejected'],
    [
      'telegram',
      400,
      '{"ok":false,"description":"Bad Request: chat not found"}',
      'Bad Request: chat not found',
    ],
    [
      'pagerduty',
      400,
      '{"errors":["Length of \'routing_key\' is incorrect"]}',
      "Length of 'routing_key' is incorrect",
    ],
    ['mattermost', 400, '{"message":"Invalid webhook."}', 'Invalid webhook'],
    ['google_chat', 403, '{"error":{"message":"Space not found"}}', 'Space not found'],
    ['ntfy', 401, '{"error":"unauthorized"}', 'unauthorized'],
    ['msteams', 400, '{"error":{"message":"The workflow is off"}}', 'The workflow is off'],
  ] as const)('%s: %i %s', async (kind, status, body, said) => {
    expect(await ask({ kind }, status, body)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(`(${status}): ${said}`),
    });
  });
});

describe('addresses of private networks', () => {
  const ask = (url: string, network = INTERNET) => createDestinationSender(network).send(job(url));

  test.each([
    'http://127.0.0.1:9',
    'http://10.0.0.1',
    'http://169.254.169.254',
    'http://[::1]',
    'http://localhost',
  ])('%s is refused, and the sentence says who can allow it', async (url) => {
    expect(await ask(url)).toMatchObject({
      kind: 'refused',
      status: null,
      reason: expect.stringMatching(
        /private network; your Errata administrator can allow it with ERRATA_ALLOW_INSIDE_ADDRESSES and a restart$/,
      ),
    });
  });

  test('one that is allowed is asked', async () => {
    const url = await serve((_request, response) => response.end());
    expect(await ask(url, LOOPBACK)).toEqual({ kind: 'sent', status: 200 });
    expect(await ask(url, networkWith(parseAllowedInside('10.0.0.0/8')))).toMatchObject({ kind: 'refused' });
  });

  test('what is no address at all is told', async () => {
    expect(await ask('nowhere')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('save it again'),
    });
  });
});

describe('bounds', () => {
  test('so many go to one host at once; others are told that it is busy, and other hosts are not', async () => {
    const waiting: (() => void)[] = [];
    const url = await serve((_request, response) => waiting.push(() => response.end()));
    const other = await serve((_request, response) => response.end());
    const first = Array.from({ length: 4 }, () => sender.send(job(url)));
    while (waiting.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await sender.send(job(url))).toEqual({ kind: 'busy' });
    expect(await sender.send(job(other))).toMatchObject({ kind: 'sent' });
    for (const answer of waiting) answer();
    expect(await Promise.all(first)).toEqual(first.map(() => ({ kind: 'sent', status: 200 })));
    const again = sender.send(job(url));
    while (waiting.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    waiting[4]?.();
    expect(await again).toMatchObject({ kind: 'sent' });
  });

  test('a message of several parts keeps its turn until the last one', async () => {
    const url = await serve((_request, response) => setTimeout(() => response.end(), 5));
    const parts = Array.from({ length: 3 }, () => ({ body: {} }));
    let isOver = false;
    const long = Promise.all(Array.from({ length: 4 }, () => sender.send(job(url, { parts })))).finally(
      () => {
        isOver = true;
      },
    );
    // Others that would take the place as soon as there is one.
    while (!isOver) {
      void sender.send(job(url));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await long).toEqual(Array.from({ length: 4 }, () => ({ kind: 'sent', status: 200 })));
  });

  test('silence ends in time, for all parts together', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      setTimeout(() => response.end(), 150);
    });
    const parts = Array.from({ length: 10 }, () => ({ body: {} }));
    expect(await sender.send(job(url, { parts }), 400)).toMatchObject({
      kind: 'try_later',
      reason: expect.stringContaining('No response from the webhook'),
    });
    // Two are answered within 400 ms, and a third may be on its way.
    expect(requests).toBeLessThanOrEqual(3);
  });

  test('a body beyond the bound is not sent', async () => {
    const url = await serve((_request, response) => response.end());
    expect(await sender.send(job(url, { parts: [{ body: { a: 'x'.repeat(1_100_000) } }] }))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('1048576 bytes'),
    });
  });

  test('a part that is refused ends the message; every part has the id of the message', async () => {
    const ids: unknown[] = [];
    const url = await serve((request, response) => {
      ids.push([request.headers['request-id'], request.headers['errata-delivery']]);
      response.writeHead(ids.length === 2 ? 500 : 200).end();
    });
    const parts = Array.from({ length: 3 }, () => ({ body: {} }));
    expect(await sender.send(job(url, { parts }))).toMatchObject({ kind: 'try_later' });
    expect(ids).toEqual([
      ['id-1', 'id-1'],
      ['id-1.2', 'id-1'],
    ]);
  });
});
