import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REQUEST_BOUNDS } from '#ingest/request-bounds.ts';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { askFrom } from '../../harness/ask-from.ts';
import { ATTACKER, type Dialed, dialAll, NEIGHBOR } from '../../harness/dial.ts';
import {
  authHeader,
  buildEnvelope,
  type Dsn,
  eventEnvelope,
  newEventId,
  parseDsn,
  postEnvelope,
} from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { cookiesOf, postSignIn } from '../../harness/plain-form.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { container } from '../../harness/sample-items.ts';
import { type ErrataServer, type Role, startErrata } from '../../harness/start-errata.ts';
import { streamBody } from '../../harness/stream-body.ts';
import { until } from '../../harness/until.ts';
import { startWitness } from '../../harness/witness.ts';
import { streamBomb } from '../../harness/zip-bomb.ts';

const MIB = 1024 * 1024;
const GROWTH_BYTES_MAX = 128 * MIB;
/** With as many connections as may be open. */
const CONNECTIONS_GROWTH_BYTES_MAX = 192 * MIB;
const ANSWER_MS_MAX = 1_000;
const SLUG = 'abuse';
const CONNECTIONS = 10_000;
/** Descriptors that this process needs besides. */
const DESCRIPTORS_KEPT = 500;
/** More than the edge holds. */
const IDLE_CONNECTIONS = 12_050;
/** So many of those that were closed come back each second. */
const REFILL_MAX = 500;
/** So many are opened before they speak. */
const ADD_MAX = 400;
const SHUT_OUT_MS = IS_FULL ? 120_000 : 4_000;
const SLOW_SENDERS = 200;
const WARM_ROUNDS = 250;
/** The edge's own bounds, the rhythm at which it looks, and what it waits for the rest of a body. */
const HEADERS_MS = 20_000 + 5_000;
const SILENT_BODY_MS = 30_000 + 5_000 + 5_000;
const SLACK_MS = 5_000;

let server: ErrataServer;
let dsn: Dsn;
let api: ApiClient;
let pids: Record<Role, number>;
let edgeBytes: number;
let port: number;
const dialed: Dialed[] = [];
const slow: { headers: Dialed[]; bodies: Dialed[]; drip?: NodeJS.Timeout } = { headers: [], bodies: [] };

beforeAll(async () => {
  server = await startErrata();
  port = Number(new URL(server.url).port);
  dsn = parseDsn(await server.project(SLUG));
  api = createApiClient(server.url, await server.token());
  // Warm: what ordinary work takes is no growth.
  for (let round = 0; round < WARM_ROUNDS; round++) {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        postEnvelope(dsn, eventEnvelope(makeJavascriptError({ issue: index % 3, bytes: 5_000 }))),
      ),
    );
  }
  pids = await server.pids();
  const witness = await startWitness(dsn, pids.edge);
  await sleep(1_000);
  edgeBytes = (await witness.stop()).peakBytes;
  console.log(`the edge at rest: ${Math.round(edgeBytes / MIB)} MiB`);
});
afterAll(async () => {
  clearInterval(slow.drip);
  for (const { socket } of dialed) socket.destroy();
  await server?.[Symbol.asyncDispose]();
});

const readDescriptors = (): number =>
  Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY;

/** Runs the abuse beside an ordinary sender: nobody may die, grow or make others wait. */
async function undisturbed<T>(abuse: () => Promise<T>, growthBytesMax = GROWTH_BYTES_MAX): Promise<T> {
  const witness = await startWitness(dsn, pids.edge);
  const result = await abuse().finally(() => sleep(500));
  const testimony = await witness.stop();
  const grownBytes = testimony.peakBytes - edgeBytes;
  console.log(
    `${expect.getState().currentTestName}: ${testimony.answered.length} others answered, the slowest in ${Math.round(testimony.slowestMs)} ms; the edge grew by ${Math.round(grownBytes / MIB)} MiB`,
  );
  expect(testimony.refused).toEqual([]);
  expect(testimony.slowestMs).toBeLessThan(ANSWER_MS_MAX);
  expect(grownBytes).toBeLessThan(growthBytesMax);
  expect(await server.pids(), 'no process died').toEqual(pids);
  const last = testimony.answered.at(-1) ?? '';
  await findEvent(api, SLUG, last, 20_000);
  return result;
}

const post = (text: string) => postEnvelope(dsn, Buffer.from(text));

test(`${SLOW_SENDERS} slow senders of headers and as many of bodies begin`, async () => {
  await undisturbed(async () => {
    const head = `POST /api/${dsn.projectId}/envelope/ HTTP/1.1\r\nhost: errata\r\n`;
    slow.headers = await openAll(SLOW_SENDERS);
    for (const { socket } of slow.headers) socket.write(head);
    slow.drip = setInterval(() => {
      for (const { socket } of slow.headers) if (socket.writable) socket.write('x-drip: 1\r\n');
    }, 1_000);
    slow.bodies = await openAll(SLOW_SENDERS);
    for (const { socket } of slow.bodies) {
      socket.write(
        `${head}x-sentry-auth: ${authHeader(dsn)}\r\ncontent-length: 500000\r\n\r\n{}\n{"type":"event"}\n{`,
      );
    }
  });
});

test('JSON that is nested 100,000 deep', async () => {
  const depth = 100_000;
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  await undisturbed(async () => {
    for (const deep of [nested, objects]) {
      const eventId = newEventId();
      const event = `{"event_id":"${eventId}","message":"deep","extra":{"deep":${deep}}}`;
      expect((await post(`{"event_id":"${eventId}"}\n{"type":"event"}\n${event}\n`)).status).toBe(200);
      // Where a header should be, it is longer than any.
      expect([400, 413]).toContain((await post(`${deep}\n{"type":"event"}\n{}\n`)).status);
      expect([400, 413]).toContain((await post(`{}\n${deep}\n{}\n`)).status);
      for (const type of [
        'transaction',
        'session',
        'check_in',
        'feedback',
        'replay_event',
        'client_report',
      ]) {
        const answer = await post(`{"event_id":"${newEventId()}"}\n{"type":"${type}"}\n${deep}\n`);
        expect([type, answer.status < 500]).toEqual([type, true]);
      }
      const log = `{"type":"log","item_count":1,"content_type":"application/vnd.sentry.items.log+json"}`;
      expect((await post(`{}\n${log}\n{"items":[${deep}]}\n`)).status).toBe(200);
    }
  });
});

test('an event with ten million values, and the largest that is taken', async () => {
  await undisturbed(async () => {
    const start = `{"event_id":"${newEventId()}"}\n{"type":"event"}\n{"message":"many","extra":{"many":[0`;
    const millions = await streamBody(dsn, { start, block: Buffer.from(',0'.repeat(100_000)), blocks: 100 });
    expect([millions.status, millions.body]).toEqual([413, { detail: expect.stringContaining('1048576') }]);
    const event = {
      ...makeJavascriptError({ issue: 1, bytes: 2_000 }),
      extra: { many: Array(480_000).fill(0) },
    };
    expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
    await findEvent(api, SLUG, event.event_id, 20_000);
  });
});

test('an envelope of ten million items', async () => {
  await undisturbed(async () => {
    const item = '{"type":"from_the_future","length":0}\n\n';
    const block = Buffer.from(item.repeat(1_000));
    expect((await streamBody(dsn, { start: '{}\n', block, blocks: 10_000 })).status).toBe(413);
    const logs = Array.from({ length: 9_000 }, () => ({
      timestamp: Date.now() / 1000,
      level: 'info',
      body: 'x',
    }));
    const answer = await postEnvelope(dsn, buildEnvelope({}, [container('log', 'log', logs)]));
    expect(answer.status).toBe(200);
  });
});

test('header lines of a GiB', async () => {
  const block = Buffer.alloc(MIB, 'x');
  await undisturbed(async () => {
    const answers = await Promise.all(
      ['{"sdk":"', '{}\n{"type":"event","filename":"'].map((start) =>
        streamBody(dsn, { start, block, blocks: 1024 }),
      ),
    );
    for (const { status, body, sentBytes } of answers) {
      expect([400, 413]).toContain(status);
      expect(body).toEqual({ detail: expect.stringMatching(/header/i) });
      // Told after the first 64 KiB, not after the GiB.
      expect(sentBytes).toBeLessThan(64 * MIB);
    }
  });
});

test('bombs of gzip, deflate, brotli and zstd, all at once', async () => {
  const answers = await undisturbed(() =>
    Promise.all((['gzip', 'deflate', 'br', 'zstd'] as const).map((encoding) => streamBomb(dsn, encoding))),
  );
  expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
});

test('keys that are named twice, lone surrogates and names of the language', async () => {
  const texts = {
    twice: '"tags":{"a":"first","a":"second"},"message":"first","message":"second"',
    surrogates:
      '"message":"\\ud800 high, \\udfff low","tags":{"\\udfff":"\\ud800"},"extra":{"\\ud800":"\\udc00\\ud800"}',
    prototypes:
      '"message":"prototypes","__proto__":{"polluted":1},"extra":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},"tags":{"__proto__":"x","toString":"y","hasOwnProperty":"z"},"contexts":{"__proto__":{"type":"os","name":"x"},"constructor":{"a":1}},"user":{"__proto__":{"id":"1"},"id":"7"}',
    nulls: '"message":"\\u0000 in front","tags":{"\\u0000":"\\u0000"},"user":{"id":"\\u0000"}',
  };
  await undisturbed(async () => {
    for (const [name, fields] of Object.entries(texts)) {
      const eventId = newEventId();
      const answer = await post(
        `{"event_id":"${eventId}","__proto__":{"dsn":"x"}}\n{"type":"event","__proto__":{"length":1}}\n{"event_id":"${eventId}",${fields}}\n`,
      );
      expect([name, answer.status]).toEqual([name, 200]);
      const { event } = await findEvent(api, SLUG, eventId, 20_000);
      expect(event.eventID).toBe(eventId);
    }
  });
  expect((await server.cli(['quarantine', 'list'])).stdout, 'nothing was set aside').toBe('');
});

test('1,060 forms whose body does not come of one address take no page from others', async () => {
  const form =
    'POST /login HTTP/1.1\r\nhost: errata\r\nnext-action: 40aa\r\ncontent-length: 1000\r\n\r\n1_email=a';
  await undisturbed(() => attack(1_060, form, expectServed));
});

test('1,000 live streams of one session take no page from others', async () => {
  const cookie = cookiesOf(await postSignIn(server.url));
  const stream = `GET /api/live/main HTTP/1.1\r\nhost: errata\r\ncookie: ${cookie}\r\n\r\n`;
  await undisturbed(() =>
    attack(1_000, stream, async (streams) => {
      await expectServed();
      const answers = (status: number) =>
        streams.filter(({ text }) => text().startsWith(`HTTP/1.1 ${status}`)).length;
      console.log(`${answers(200)} streams were let through, ${answers(429)} told to come later`);
      expect(answers(200)).toBe(12);
      expect(answers(429)).toBeGreaterThan(900);
    }),
  );
});

test('the slow senders were cut off in time, while all this went on', async () => {
  await undisturbed(async () => {
    const { headers, bodies } = slow;
    const areClosed = (all: readonly Dialed[]) => () => all.every(({ openMs }) => openMs() !== null);
    await until('the end of slow headers', areClosed(headers), { timeoutMs: HEADERS_MS, everyMs: 200 });
    await until('the end of silent bodies', areClosed(bodies), { timeoutMs: SILENT_BODY_MS, everyMs: 200 });
    clearInterval(slow.drip);
    const longest = (all: readonly Dialed[]) => Math.max(...all.map(({ openMs }) => openMs() ?? Infinity));
    const ends = new Set(bodies.map(({ text }) => text().slice(0, 300)));
    console.log(`what silent bodies were told: ${[...ends].join(' | ')}`);
    console.log(`longest: headers ${longest(headers)} ms, silent bodies ${longest(bodies)} ms`);
    expect(longest(headers)).toBeLessThan(HEADERS_MS + SLACK_MS);
    expect(longest(bodies)).toBeLessThan(SILENT_BODY_MS + SLACK_MS);
    expect(headers.filter(({ text }) => text().startsWith('HTTP/1.1 408')).length).toBe(SLOW_SENDERS);
  });
});

test(`${CONNECTIONS} open connections, twice, as far as this machine allows`, async () => {
  const descriptors = readDescriptors();
  const wanted = Math.min(CONNECTIONS, descriptors - DESCRIPTORS_KEPT);
  // The second time shows that the room of the first is used again.
  for (let time = 1; time <= 2; time++) {
    const held = await undisturbed(async () => {
      const opened = await openAll(wanted);
      await sleep(1_000);
      const open = opened.filter(({ isClosed }) => !isClosed());
      const [{ socket, text }] = open as [Dialed];
      socket.write(`GET /health/live HTTP/1.1\r\nhost: errata\r\n\r\n`);
      await until('an answer on one of them', () => text().startsWith('HTTP/1.1 200'));
      for (const each of opened) each.socket.destroy();
      return open.length;
    }, CONNECTIONS_GROWTH_BYTES_MAX);
    console.log(`${held} connections were open at once (wanted ${CONNECTIONS}, descriptors ${descriptors})`);
    expect(held).toBe(wanted);
  }
});

test('12,050 idle connections keep nobody out', async () => {
  const wanted = Math.min(IDLE_CONNECTIONS, readDescriptors() - DESCRIPTORS_KEPT);
  const ask = 'GET /health/live HTTP/1.1\r\nhost: errata\r\n\r\n';
  const idle = () =>
    attack(wanted, ask, async (connections) => {
      await expectServed();
      const held = connections.filter(({ isClosed }) => !isClosed()).length;
      console.log(`${connections.length} idle connections were opened, ${held} of them are open`);
      expect(held).toBeLessThanOrEqual(REQUEST_BOUNDS.connectionsMax);
    });
  await undisturbed(idle, CONNECTIONS_GROWTH_BYTES_MAX);
});

/** Opens connections that are closed at the end. */
async function openAll(count: number, localAddress?: string): Promise<Dialed[]> {
  const opened = await dialAll(count, port, localAddress);
  dialed.push(...opened);
  return opened;
}

/** Opens so many and says the same on each, also on those that take the place of closed ones. */
async function attack(
  count: number,
  text: string,
  meanwhile: (attackers: readonly Dialed[]) => Promise<void>,
): Promise<void> {
  const attackers: Dialed[] = [];
  const add = async (missing: number) => {
    const fresh = await openAll(missing, ATTACKER);
    for (const { socket } of fresh) socket.write(text);
    attackers.push(...fresh);
  };
  let isOver = false;
  const refill = async () => {
    while (!isOver) {
      await sleep(1_000);
      const held = attackers.filter(({ isClosed }) => !isClosed()).length;
      if (held < count) await add(Math.min(count - held, REFILL_MAX));
    }
  };
  try {
    while (attackers.length < count) await add(Math.min(ADD_MAX, count - attackers.length));
    await Promise.all([
      refill(),
      meanwhile(attackers).finally(() => {
        isOver = true;
      }),
    ]);
  } finally {
    // The next attack starts from rest.
    for (const { socket } of attackers) socket.destroy();
  }
}

/** Asks for a page and over the API all the time, from elsewhere and from the attacker's own address. */
async function expectServed(): Promise<void> {
  const authorization = `Bearer ${await server.token()}`;
  const endAt = performance.now() + SHUT_OUT_MS;
  const slowest = { page: 0, api: 0 };
  let rounds = 0;
  while (performance.now() < endAt) {
    for (const address of [NEIGHBOR, ATTACKER]) {
      const page = await askFrom(address, `${server.url}/login`);
      const answer = await askFrom(address, `${server.url}/api/0/organizations/`, {
        headers: { authorization },
      });
      expect([page.status, page.body.includes('Sign in'), answer.status]).toEqual([200, true, 200]);
      slowest.page = Math.max(slowest.page, page.ms);
      slowest.api = Math.max(slowest.api, answer.ms);
    }
    rounds += 1;
    await sleep(200);
  }
  console.log(
    `${rounds} rounds: the slowest page ${Math.round(slowest.page)} ms, API ${Math.round(slowest.api)} ms`,
  );
  expect(Math.max(slowest.page, slowest.api)).toBeLessThan(ANSWER_MS_MAX);
}
