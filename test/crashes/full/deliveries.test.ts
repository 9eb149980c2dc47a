import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALERT_SCOPES,
  addRule,
  type OpenDestination,
  openDestination,
  removeRules,
} from '../../harness/alert-destinations.ts';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { type MailServer, startMailServer } from '../../harness/mail-server.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

/** Every place between two steps of a message, from the news to its end; each has a fault point in the code. */
const POINTS = [
  'alerts-evaluated',
  'alerts-finished',
  'delivery-take',
  'delivery-finished',
  'delivery-taken',
  'delivery-sealed',
  'delivery-sent',
] as const;
type Point = (typeof POINTS)[number];

/** Whose message is taken again only when the lease of its dead sender is over. */
const LEASED: readonly Point[] = ['delivery-taken', 'delivery-sealed', 'delivery-sent'];
/** Of a mail, the longer one. */
const LEASE_MS = 30_000;

type Deaths = { via: 'webhook' | 'mail'; points: readonly Point[] };

/**
 * The short run takes one point before the message is there, and the one after which it is sent twice. The mails of a
 * round are at most what one reader gets at once.
 */
const ROUNDS: readonly { name: string; deaths: readonly Deaths[] }[] = IS_FULL
  ? [
      { name: 'webhooks', deaths: [{ via: 'webhook', points: POINTS }] },
      {
        name: 'mails',
        deaths: [{ via: 'mail', points: ['alerts-evaluated', 'delivery-taken', 'delivery-sent'] }],
      },
    ]
  : [
      {
        name: 'webhooks and a mail',
        deaths: [
          { via: 'webhook', points: ['delivery-sent', 'alerts-evaluated'] },
          { via: 'mail', points: ['alerts-evaluated'] },
        ],
      },
    ];

let server: ErrataServer;
let api: ApiClient;
let mails: MailServer;
let folder: string;
const opened: OpenDestination[] = [];
const armedFile = (point: string): string => path.join(folder, point);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-armed-'));
  mails = await startMailServer();
  server = await startErrata({
    env: {
      ERRATA_FAULT_POINTS: POINTS.map((point) => `${point}:armed=${armedFile(point)}`).join(','),
      ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1',
      ERRATA_SMTP_URL: mails.url,
      ERRATA_MAIL_FROM: 'errata@example.com',
    },
  });
  api = createApiClient(server.url, await server.token(ALERT_SCOPES));
});

afterAll(async () => {
  for (const { service } of opened) await service.close();
  await server?.[Symbol.asyncDispose]();
  await mails?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One arrival of a message. */
type Copy = { id: unknown; words: string };
type Receiver = { copies(): readonly Copy[]; check(): Promise<void> };
type Scene = { point: Point; slug: string; dsn: ReturnType<typeof parseDsn>; receiver: Receiver };
type Delivery = { id: string; state: string; firings: number };

/** A destination that alone is told of new issues of the project. */
async function webhookOf(slug: string): Promise<Receiver> {
  const { id, kind, service } = await openDestination(api, 'webhook');
  opened.push({ id, kind, service });
  await removeRules(api, slug);
  await addRule(api, slug, [id]);
  return {
    copies: () => service.received.map(({ headers, text }) => ({ id: headers['request-id'], words: text })),
    async check() {
      const log = `/api/0/organizations/main/destinations/${id}/deliveries/`;
      const isSent = async () => (await api.get<Delivery[]>(log)).every(({ state }) => state === 'sent');
      await until(`the log of ${slug} to say so`, isSent);
      const expected = { id: service.received[0]?.headers['request-id'], firings: 1 };
      expect(await api.get<Delivery[]>(log), slug).toMatchObject([expected]);
      expect(
        service.received.flatMap(({ problems }) => problems),
        slug,
      ).toEqual([]);
      expect(service.received[0]?.text, slug).toContain(`"project":"${slug}"`);
    },
  };
}

/** The owner, whom the rule tells that a project begins with. */
const mailboxOf = (slug: string): Receiver => {
  const received = () => mails.received.filter(({ plain }) => plain.includes(`Project: ${slug}\n`));
  return {
    copies: () =>
      received().map(({ headers, plain, html }) => ({
        id: headers.get('message-id'),
        words: [headers.get('subject'), plain, html].join('\n'),
      })),
    async check() {
      expect(received()[0]?.headers.get('message-id'), slug).toMatch(/^<[\da-f-]{36}@example\.com>$/);
    },
  };
};

test.each(ROUNDS)(
  'jobs dies at any point between news and message ($name): every message arrives, and a repeated one has the same id and words',
  async ({ deaths }) => {
    // Of this try: an earlier one may have failed on the way.
    const random = Math.random().toString(36).slice(2, 6);
    const scenes: Scene[] = [];
    for (const { via, points } of deaths) {
      for (const [index, point] of points.entries()) {
        const slug = `crash-${via}-${index}-${random}`;
        const dsn = parseDsn(await server.project(slug));
        scenes.push({ point, slug, dsn, receiver: await (via === 'mail' ? mailboxOf : webhookOf)(slug) });
      }
    }
    const arrival = ({ point, slug, receiver }: Scene) => {
      // What was sent and not noted is sent again.
      const copies = point === 'delivery-sent' ? 2 : 1;
      const isThere = () => receiver.copies().length >= copies;
      return until(`the message of ${slug} after ${point}`, isThere, { timeoutMs: LEASE_MS + 60_000 });
    };

    // One after the other, so that each death has its own message; their leases run side by side.
    for (const scene of scenes) {
      const { point, dsn } = scene;
      const before = (await server.pids()).jobs;
      writeFileSync(armedFile(point), '');
      const event = makeJavascriptError({ issue: 1, bytes: 2_000 });
      expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
      await until(`the end of jobs at ${point}`, () => !existsSync(armedFile(point)), { timeoutMs: 60_000 });
      await until('another jobs process', async () => (await server.pids()).jobs !== before, {
        timeoutMs: 60_000,
      });
      // Else its next try would die in the place of the next scene.
      if (!LEASED.includes(point)) await arrival(scene);
    }

    for (const scene of scenes) {
      await arrival(scene);
      const { point, slug, receiver } = scene;
      await receiver.check();
      const copies = receiver.copies();
      expect(new Set(copies.map(({ id }) => id)).size, `${slug} ${point}`).toBe(1);
      expect(new Set(copies.map(({ words }) => words)).size, `${slug} ${point}`).toBe(1);
    }
  },
);
