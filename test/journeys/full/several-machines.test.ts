import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { type Dsn, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { makeSourceMap } from '../../harness/make-source-map.ts';
import { attachMcp, connectMcp } from '../../harness/mcp-client.ts';
import { APP, SEGMENTS, SOURCES } from '../../harness/minified-event.ts';
import { createOauthProgram } from '../../harness/oauth-program.ts';
import { startPostgresServer, type TestPostgres } from '../../harness/postgres-servers.ts';
import { type RoundRobin, startRoundRobin } from '../../harness/round-robin.ts';
import {
  installS3Server,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  s3Missing,
  startS3Server,
} from '../../harness/s3-server.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { signIn } from '../../harness/sign-in.ts';
import { ADMIN, type ErrataServer, makeDataDir, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';
import { scriptWithMap, uploadBundle } from '../../harness/upload-bundle.ts';

installS3Server();
const missing = s3Missing() ?? (findChromium() === null ? NO_CHROMIUM : null);
const SECRET = randomBytes(32).toString('hex');
const SLUG = 'shared';

describe.skipIf(missing !== null)(`two machines behind a proxy${missing ? ` (${missing})` : ''}`, () => {
  const closers: (() => unknown)[] = [];
  let postgres: TestPostgres;
  let s3: S3Server;
  let proxy: RoundRobin;
  let clickhouseUrl = '';
  const machines: ErrataServer[] = [];
  let browser: Browser;
  let api: ApiClient;
  let token = '';
  let dsn: Dsn;

  const settings = (): Record<string, string> => ({
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouseUrl,
    ERRATA_BLOBS_URL: `s3://${S3_BUCKET}/errata?endpoint=${s3.endpoint}`,
    ERRATA_S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    ERRATA_S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    ERRATA_SECRET: SECRET,
    ERRATA_URL: proxy.url,
    ERRATA_TRUSTED_PROXIES: '127.0.0.1',
    ERRATA_SELF_REPORTING: 'off',
    ERRATA_DRAIN_SECONDS: '1',
    ERRATA_STOP_GRACE_SECONDS: '15',
  });
  /** Itself, not the proxy that its settings name. */
  const portOf = (machine: ErrataServer): number => portsOf.get(machine.pid) ?? 0;
  const portsOf = new Map<number, number>();
  const startMachine = async (): Promise<ErrataServer> => {
    const port = await findFreePort();
    const machine = await startErrata({ env: settings(), port });
    portsOf.set(machine.pid, port);
    proxy.targets.push(port);
    machines.push(machine);
    return machine;
  };
  const direct = (machine: ErrataServer): string => `http://127.0.0.1:${portOf(machine)}`;

  beforeAll(async () => {
    [postgres, s3, proxy] = await Promise.all([startPostgresServer(), startS3Server(), startRoundRobin()]);
    const folder = makeDataDir();
    const clickhouse = await startEmbeddedClickhouse({
      dataDir: folder,
      memoryBytesMax: 512 * 1024 * 1024,
      log: createLog('test', 'error'),
    });
    clickhouseUrl = clickhouse.url;
    closers.push(proxy.close, s3.remove, postgres.remove, clickhouse.stop, () =>
      rmSync(path.dirname(folder), { recursive: true, force: true }),
    );
    const first = await startMachine();
    await startMachine();
    browser = await launchChromium();
    token = await first.token();
    api = createApiClient(proxy.url, token);
    dsn = parseDsn(await first.project(SLUG));
  }, 400_000);
  afterAll(async () => {
    await browser?.close();
    for (const machine of machines) await machine[Symbol.asyncDispose]();
    for (const close of closers) await close();
  }, 120_000);

  const send = async (target: Dsn, issue = 0) => {
    const event = makeJavascriptError({ issue, bytes: 2_000 });
    const { status } = await postEnvelope(target, eventEnvelope(event));
    return { id: event.event_id, status };
  };

  test('somebody signs in, sees live on one what the other received, and is signed out of both', {
    timeout: 120_000,
  }, async () => {
    const page = await signIn(browser, proxy.url);
    const [first, second] = machines as [ErrataServer, ErrataServer];
    const cookie = await cookieOf(page);
    const ask = (machine: ErrataServer) =>
      fetch(`${direct(machine)}/api/live/main`, {
        headers: { cookie, host: new URL(proxy.url).host, accept: 'text/event-stream' },
      });
    const live = await ask(second);
    expect(live.status).toBe(200);
    const heard = listen(live);
    await until('the key is known', async () => (await send(toMachine(dsn, direct(first)))).status === 200);
    await until('the change', () => heard.text().includes('event: change'));
    heard.stop();

    for (const machine of machines) {
      const answer = await fetch(`${direct(machine)}/main/issues`, {
        headers: { cookie },
        redirect: 'manual',
      });
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
    // On whichever machine the proxy chooses.
    await page.goto(`${proxy.url}/account`);
    await hydrated(page, 'button');
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.waitForURL(/\/login/);
    for (const machine of machines) {
      const refused = await ask(machine);
      expect(refused.status).toBe(401);
      await refused.body?.cancel();
    }
    await page.context().close();
  });

  test('an upload in parts, each to the next machine, is read by the digests of both', {
    timeout: 400_000,
  }, async () => {
    const debugId = randomUUID();
    await uploadBundle(
      { url: proxy.url, token, api },
      { projects: [SLUG] },
      scriptWithMap(debugId, makeSourceMap(SOURCES, SEGMENTS)),
      400,
    );
    // A busy digest does not wait for the map; the next event finds it.
    for (const machine of machines) {
      await until(
        'an event that the map was applied to',
        async () => {
          const eventId = await sendMinified(toMachine(dsn, direct(machine)), debugId);
          const stored = await until('the event', async () => {
            const found = await api.request('GET', `/api/0/projects/main/${SLUG}/events/${eventId}/`);
            return found.status === 200 && JSON.stringify(found.body);
          });
          return stored.includes('src/cart.ts');
        },
        { timeoutMs: 150_000, everyMs: 1_000 },
      );
    }
  });

  test('a limit holds for both together', { timeout: 120_000 }, async () => {
    const [first] = machines as [ErrataServer];
    const limited = parseDsn(await first.project('limited'));
    const keyPath = `/api/0/projects/main/limited/keys/${limited.publicKey}/`;
    const put = await api.request('PUT', keyPath, { rateLimit: { count: 20, window: 86_400 } });
    expect(put.status).toBe(200);
    // Each edge reads the settings of keys by itself.
    await delay(12_000);
    let accepted = 0;
    for (let index = 0; index < 60; index++) {
      if ((await send(limited)).status === 200) accepted += 1;
      await delay(150);
    }
    expect(accepted).toBeGreaterThanOrEqual(20);
    // What both let in within the second between two exchanges.
    expect(accepted).toBeLessThan(30);
  });

  test('an agent signs in and works, each request on the next machine', { timeout: 120_000 }, async () => {
    await using callback = await listenForAnswer();
    const program = createOauthProgram(callback.url);
    const connect = () =>
      new StreamableHTTPClientTransport(new URL(`${proxy.url}/mcp`), { authProvider: program });
    const transport = connect();
    await expect(attachMcp(transport)).rejects.toThrow(UnauthorizedError);
    const page = await signIn(browser, proxy.url, ADMIN, program.opened?.href);
    await hydrated(page, 'main form');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const answer = await callback.answer;
    await transport.finishAuth(answer.get('code') ?? '');
    await using agent = await attachMcp(connect());
    expect(await agent.list()).toContain('whoami');
    for (let call = 0; call < 4; call++) expect(await agent.tell('whoami')).toContain('user: owner');
    await using other = await connectMcp(`${proxy.url}/mcp`, { token });
    expect(await other.tell('whoami')).toContain('main');
    await page.context().close();
  });

  test('machines are replaced one after the other under load: no request fails, and nothing is lost', {
    timeout: 400_000,
  }, async () => {
    const [first] = machines as [ErrataServer];
    const rolled = parseDsn(await first.project('rolled'));
    const ids: string[] = [];
    const failed: string[] = [];
    let isOver = false;
    const load = (async () => {
      for (let index = 0; !isOver; index++) {
        const { id, status } = await send(rolled, index % 5);
        if (status === 200) ids.push(id);
        else failed.push(`event: ${status}`);
        const page = await fetch(`${proxy.url}/login`, { redirect: 'manual' });
        if (page.status !== 200) failed.push(`page: ${page.status}`);
        await page.body?.cancel();
        await delay(50);
      }
    })();
    for (const index of machines.keys()) {
      const machine = machines[index] as ErrataServer;
      const port = portOf(machine);
      const again = await machine.restart();
      portsOf.set(again.pid, port);
      machines[index] = again;
    }
    isOver = true;
    await load;
    expect(failed).toEqual([]);
    expect(ids.length).toBeGreaterThan(10);
    await expectExactlyOnce(api, 'rolled', ids, 120_000);
  });
});

/** An error of the script that was uploaded; answers its id. */
async function sendMinified(dsn: Dsn, debugId: string): Promise<string> {
  const eventId = newEventId();
  const frames = [{ abs_path: APP, filename: APP, function: 'a', lineno: 1, colno: 11 }];
  const event = {
    event_id: eventId,
    platform: 'javascript',
    exception: { values: [{ type: 'TypeError', value: 'minified', stacktrace: { frames } }] },
    debug_meta: { images: [{ type: 'sourcemap', code_file: APP, debug_id: debugId }] },
  };
  expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  return eventId;
}

const toMachine = (dsn: Dsn, origin: string): Dsn => ({ ...dsn, origin });

async function cookieOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** What a stream says, until it is stopped. */
function listen(response: Response): { text(): string; stop(): void } {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  void (async () => {
    for (;;) {
      const read = await reader?.read().catch(() => null);
      if (!read || read.done) return;
      text += read.value;
    }
  })();
  return { text: () => text, stop: () => void reader?.cancel() };
}

/** Where a program waits on this computer for the browser to come back. */
async function listenForAnswer() {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((message, response) => {
    const address = new URL(message.url ?? '/', 'http://127.0.0.1');
    if (address.pathname === '/callback') resolve(address.searchParams);
    response.end('Go back to the app');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
