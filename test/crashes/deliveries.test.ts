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
} from '../harness/alert-destinations.ts';
import { type ApiClient, createApiClient } from '../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import type { ReceivedMessage } from '../harness/fake-services.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';

/**
 * Every place between two steps of a message, from the news to its end; each has a fault point in the code. The short run
 * takes one before the message is there, and the one after which it is sent twice.
 */
const POINTS = process.env.ERRATA_TEST_FULL
  ? ([
      'alerts-evaluated',
      'alerts-finished',
      'delivery-take',
      'delivery-taken',
      'delivery-sealed',
      'delivery-sent',
      'delivery-finished',
    ] as const)
  : (['delivery-sent', 'alerts-evaluated'] as const);

/** A message whose sender died is taken again when its lease is over. */
const LEASE_MS = 20_000;

let server: ErrataServer;
let api: ApiClient;
let folder: string;
const opened: OpenDestination[] = [];
const armedFile = (point: string): string => path.join(folder, point);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-armed-'));
  server = await startErrata({
    env: {
      ERRATA_FAULT_POINTS: POINTS.map((point) => `${point}:armed=${armedFile(point)}`).join(','),
      ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1',
    },
  });
  api = createApiClient(server.url, await server.token(ALERT_SCOPES));
});

afterAll(async () => {
  for (const { service } of opened) await service.close();
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

type Delivery = { id: string; state: string; firings: number };

test('jobs dies at any point between news and message: every message arrives, and a repeated one has the same id and words', async () => {
  const scenes = [];
  for (const [index, point] of POINTS.entries()) {
    const slug = `crash-${index}`;
    const dsn = parseDsn(await server.project(slug));
    const destination = await openDestination(api, 'webhook');
    opened.push(destination);
    await removeRules(api, slug);
    await addRule(api, slug, [destination.id]);
    scenes.push({ point, slug, dsn, destination });
  }

  // One after the other, so that each death has its own message; their leases run side by side.
  for (const { point, dsn } of scenes) {
    const before = (await server.pids()).jobs;
    writeFileSync(armedFile(point), '');
    const event = makeJavascriptError({ issue: 1, bytes: 2_000 });
    expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
    await until(`the end of jobs at ${point}`, () => !existsSync(armedFile(point)), { timeoutMs: 60_000 });
    await until('another jobs process', async () => (await server.pids()).jobs !== before, {
      timeoutMs: 60_000,
    });
  }

  for (const { point, slug, destination } of scenes) {
    const deliveries = await until(
      `the message of ${point}, sent`,
      async () => {
        const path = `/api/0/organizations/main/destinations/${destination.id}/deliveries/`;
        const found = await api.get<Delivery[]>(path);
        return found.length > 0 && found.every(({ state }) => state === 'sent') ? found : null;
      },
      { timeoutMs: LEASE_MS + 60_000, everyMs: 500 },
    );
    expect(deliveries, point).toHaveLength(1);
    expect(deliveries[0]?.firings, point).toBe(1);
    const { received } = destination.service;
    // What was sent and not noted is sent again.
    expect(received.length, point).toBeGreaterThanOrEqual(point === 'delivery-sent' ? 2 : 1);
    expect(new Set(received.map(idOf)), point).toEqual(new Set([deliveries[0]?.id]));
    expect(new Set(received.map(({ text }) => text)).size, point).toBe(1);
    expect(
      received.flatMap(({ problems }) => problems),
      point,
    ).toEqual([]);
    expect(received[0]?.text, point).toContain(`"project":"${slug}"`);
  }
});

const idOf = ({ headers }: ReceivedMessage): unknown => headers['request-id'];
