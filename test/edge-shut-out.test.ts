import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LANE_LIMITS } from '#ingest/web-lanes.ts';
import { LIVE_BUSY_CODE } from '#lib/live-busy.ts';
import { askFrom } from './harness/ask-from.ts';
import { ATTACKER, ATTACKER_TOO, type Dialed, dial, dialAll, NEIGHBOR } from './harness/dial.ts';
import { IS_FULL, testInFull } from './harness/is-full.ts';
import { EDGE_KEY, EDGE_PROJECT, type OpenEdge, openEdge } from './harness/open-edge.ts';
import { until } from './harness/until.ts';

/** The normal run shares the machine; it proves that nobody waits for a body that does not come. */
const ANSWER_MS_MAX = IS_FULL ? 1_000 : 10_000;
const CONNECTIONS_MAX = 40;

/** Stands for the pages: `/login` answers at once, what lies below `/api/live` and `/endless` never ends. */
let web: Server;
/** Requests that have reached it, by their path. */
let reached: string[];
let edge: OpenEdge;
let dialed: Dialed[];

beforeEach(async () => {
  reached = [];
  dialed = [];
  web = createServer(async (message, response) => {
    const path = decodeURIComponent(message.url ?? '');
    reached.push(path);
    if (path.startsWith('/api/live/') || path === '/endless') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': connected\n\n');
      return;
    }
    for await (const _chunk of message) {
      // An action reads its form before it answers.
    }
    response.end('the page');
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
});
afterEach(async () => {
  for (const { socket } of dialed) socket.destroy();
  await edge.close();
  web.closeAllConnections();
  web.close();
});

async function open(options: Parameters<typeof openEdge>[0] = {}): Promise<void> {
  edge = await openEdge({ webPort: (web.address() as AddressInfo).port, ...options });
}

/** That everybody is served within a second: somebody elsewhere, and somebody at the address of the attacker. */
async function expectServed(): Promise<void> {
  const event = { method: 'POST', body: '{}\n{"type":"event"}\n{"a":1}\n' };
  const headers = { 'x-sentry-auth': `Sentry sentry_key=${EDGE_KEY}` };
  for (const address of [NEIGHBOR, ATTACKER]) {
    for (const asked of await Promise.all([
      askFrom(address, `${edge.url}/login`),
      askFrom(address, `${edge.url}/login`, { method: 'POST', body: 'email=a' }),
      askFrom(address, `${edge.url}/api/0/organizations/`),
      askFrom(address, `${edge.url}/api/${EDGE_PROJECT}/envelope/`, { ...event, headers }),
    ])) {
      expect(asked.status).toBe(200);
      expect(asked.ms).toBeLessThan(ANSWER_MS_MAX);
    }
  }
}

test('1,060 forms whose body does not come take nothing from the pages', async () => {
  const head = 'POST /login HTTP/1.1\r\nhost: edge\r\nnext-action: 40aa\r\ncontent-length: 1000\r\n\r\n';
  const kinds = [
    head,
    `${head}1_email=a`,
    head.replace('content-length: 1000', 'transfer-encoding: chunked').concat('3\r\na=b\r\n'),
  ];
  await open();
  dialed = await dialAll(1_060, edge.port, ATTACKER);
  for (const [index, { socket }] of dialed.entries()) socket.write(kinds[index % kinds.length] ?? head);
  await expectServed();
  expect(reached.filter((path) => path === '/login')).toHaveLength(4);
});

describe('1,000 live streams', () => {
  const live = (session: string, path = '/api/live/main') =>
    `GET ${path} HTTP/1.1\r\nhost: edge\r\ncookie: theme=dark; errata.session_token=${session}\r\n\r\n`;
  const count = (status: number) =>
    dialed.filter(({ text }) => text().startsWith(`HTTP/1.1 ${status}`)).length;

  test.each([
    ['/api/live/main', 1_000],
    ['/api/%6Cive/main', 50],
    ['/endless', 50],
  ])(
    'of one session at %s: a few are let through, the others are told to come later',
    async (path, streams) => {
      await open();
      dialed = await dialAll(streams, edge.port, ATTACKER);
      for (const { socket } of dialed) socket.write(live('one', path));
      await until('an answer to each', () => count(200) + count(429) === streams);
      expect(count(200)).toBe(LANE_LIMITS.live.ofSessionMax);
      const refusal = dialed.find(({ text }) => text().includes(' 429 '))?.text();
      expect(refusal).toMatch(/retry-after: 30/i);
      if (path !== '/endless') expect(refusal).toContain(`"code":"${LIVE_BUSY_CODE}"`);
      await expectServed();
    },
  );

  testInFull('of as many sessions: an address has no more than its share', async () => {
    await open();
    dialed = await dialAll(1_000, edge.port, ATTACKER);
    for (const [index, { socket }] of dialed.entries()) socket.write(live(`session-${index}`));
    await until('an answer to each', () => count(200) + count(429) === 1_000);
    expect(count(200)).toBe(LANE_LIMITS.live.ofAddressMax);
    await expectServed();
    const neighbor = await dial(edge.port, NEIGHBOR);
    dialed.push(neighbor);
    neighbor.socket.write(live('neighbor'));
    await until('the stream of the neighbor', () => neighbor.text().includes(': connected'));
  });

  test('that end give back their places', async () => {
    await open();
    dialed = await dialAll(LANE_LIMITS.live.ofSessionMax, edge.port, ATTACKER);
    for (const { socket } of dialed) socket.write(live('one'));
    await until('their start', () => count(200) === LANE_LIMITS.live.ofSessionMax);
    for (const { socket } of dialed) socket.destroy();
    await until('a place', async () => {
      const again = await dial(edge.port, ATTACKER);
      dialed.push(again);
      again.socket.write(live('one'));
      await until('an answer', () => again.text() !== '');
      return again.text().startsWith('HTTP/1.1 200');
    });
  });

  test('behind a trusted proxy count by the address that it names', async () => {
    const proxies = new BlockList();
    proxies.addSubnet('127.0.0.0', 8);
    await open({ trustedProxies: proxies });
    const forwarded = (client: string, session: string) =>
      live(session).replace('host: edge', `host: edge\r\nx-forwarded-for: ${client}`);
    dialed = await dialAll(LANE_LIMITS.live.ofAddressMax + 10, edge.port);
    for (const [index, { socket }] of dialed.entries()) socket.write(forwarded('2001:db8::7', `s-${index}`));
    await until('the refusals', () => count(429) === 10);
    const [same, other] = (await dialAll(2, edge.port)) as [Dialed, Dialed];
    dialed.push(same, other);
    // Another address of the same network, and another network.
    same.socket.write(forwarded('2001:db8::8', 'same'));
    other.socket.write(forwarded('2001:db8:0:1::8', 'other'));
    await until('both answers', () => same.text() !== '' && other.text() !== '');
    expect([same.text().slice(9, 12), other.text().slice(9, 12)]).toEqual(['429', '200']);
  });
});

test.skipIf(!NEIGHBOR)(
  'bodies of two addresses that fill the memory of ingest make room for somebody else',
  async () => {
    await open({ memoryBytesMax: 400_000 });
    const head = `POST /api/${EDGE_PROJECT}/envelope/?sentry_key=${EDGE_KEY} HTTP/1.1\r\nhost: edge\r\ncontent-length: 190000\r\n\r\n`;
    for (const address of [ATTACKER, ATTACKER_TOO]) {
      for (const bytes of [90_000, 95_000]) {
        const heldBefore = edge.memory.heldBytes;
        const one = await dial(edge.port, address);
        dialed.push(one);
        one.socket.write(`${head}{}\n{"type":"event"}\n${'x'.repeat(bytes)}`);
        await until('its bytes', () => edge.memory.heldBytes >= heldBefore + bytes);
      }
    }
    const asked = await askFrom(NEIGHBOR, `${edge.url}/api/${EDGE_PROJECT}/envelope/`, {
      method: 'POST',
      body: `{}\n{"type":"event"}\n{"a":"${'x'.repeat(100_000)}"}\n`,
      headers: { 'x-sentry-auth': `Sentry sentry_key=${EDGE_KEY}` },
    });
    expect(asked.status).toBe(200);
    expect(asked.ms).toBeLessThan(ANSWER_MS_MAX);
    await until('the answer to who lost its place', () =>
      dialed.some(({ text }) => text().includes(' 503 ')),
    );
    const lost = dialed.filter(({ text }) => text() !== '');
    expect(lost).toHaveLength(1);
    expect(lost[0]?.text()).toMatch(/retry-after: 10/i);
  },
);

describe('more idle connections than may be open', () => {
  const LIMITS = { connectionsMax: CONNECTIONS_MAX };
  const isOpen = ({ isClosed }: Dialed) => !isClosed();

  test.each([
    ['after a request each', 'GET /health/live HTTP/1.1\r\nhost: edge\r\n\r\n'],
    ['that say nothing', ''],
    ['that begin their headers', 'GET /health/live HTTP/1.1\r\nhost: edge\r\n'],
    ['that begin a body', 'POST /login HTTP/1.1\r\nhost: edge\r\ncontent-length: 9\r\n\r\n'],
  ])('%s make room for new ones', async (_name, text) => {
    await open({ limits: LIMITS });
    for (let index = 0; index < 3 * CONNECTIONS_MAX; index++) {
      const one = await dial(edge.port, ATTACKER);
      dialed.push(one);
      one.socket.write(text);
    }
    await until('the end of the oldest', () => dialed.filter(isOpen).length <= CONNECTIONS_MAX);
    expect(dialed.slice(0, CONNECTIONS_MAX).filter(isOpen).length).toBe(0);
    await expectServed();
  });

  test('of one address cost nobody else a connection', async () => {
    await open({ limits: LIMITS });
    const kept = await dialAll(5, edge.port, NEIGHBOR);
    dialed.push(...kept);
    for (let index = 0; index < 3 * CONNECTIONS_MAX; index++) dialed.push(await dial(edge.port, ATTACKER));
    await until('the end of the oldest', () => dialed.filter(isOpen).length <= CONNECTIONS_MAX);
    if (NEIGHBOR) expect(kept.filter(isOpen)).toHaveLength(5);
  });
});
