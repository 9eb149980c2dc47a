import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient, ApiIssue } from '../harness/api-client.ts';
import {
  authHeader,
  buildEnvelope,
  type Dsn,
  eventEnvelope,
  newEventId,
  parseDsn,
  postEnvelope,
} from '../harness/envelope.ts';
import { findCounted, findEvent } from '../harness/find-event.ts';
import { describeInFull, IS_FULL, testInFull } from '../harness/is-full.ts';
import { readPssBytes } from '../harness/processes.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, sharedErrata } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';
import { streamBomb } from '../harness/zip-bomb.ts';

const MIB = 1024 * 1024;

let api: ApiClient;
let slug: string;
let dsn: Dsn;
let dsnText: string;

beforeAll(async () => {
  const project = await makeProject('protocol');
  api = project.api;
  slug = project.slug;
  dsnText = project.dsn;
  dsn = parseDsn(project.dsn);
});

/** Distinct for each test, so that counts stay apart. */
let nextIssue = 1000;
const sample = () => makeJavascriptError({ issue: nextIssue++, bytes: 2000 });

function expectRefusal(
  answer: { status: number; headers: Headers; body: unknown },
  statuses: readonly number[],
  reason: RegExp,
): void {
  expect(statuses).toContain(answer.status);
  expect(answer.body).toEqual({ detail: expect.stringMatching(reason) });
  expect(answer.headers.get('x-sentry-error')).toMatch(reason);
}

describe.concurrent('the key', () => {
  const forms: [string, () => { headers?: Record<string, string>; query?: string }][] = [
    ['X-Sentry-Auth', () => ({ headers: { 'x-sentry-auth': authHeader(dsn) } })],
    ['Authorization: Sentry', () => ({ headers: { authorization: authHeader(dsn) } })],
    [
      'HTTP Basic',
      () => ({ headers: { authorization: `Basic ${Buffer.from(`${dsn.publicKey}:`).toString('base64')}` } }),
    ],
    ['the query', () => ({ query: `?sentry_key=${dsn.publicKey}&sentry_version=7` })],
  ];

  test.each(forms)('is taken from %s', async (_name, form) => {
    const event = sample();
    const answer = await postEnvelope(dsn, eventEnvelope(event), { auth: false, ...form() });
    expect([answer.status, answer.body]).toEqual([200, { id: event.event_id }]);
    await findEvent(api, slug, event.event_id);
  });

  test('is taken from the envelope alone', async () => {
    const event = sample();
    const header = { event_id: event.event_id, dsn: dsnText };
    const body = buildEnvelope(header, [{ type: 'event', payload: JSON.stringify(event) }]);
    expect((await postEnvelope(dsn, body, { auth: false })).status).toBe(200);
    await findEvent(api, slug, event.event_id);
  });

  test('is missed with a reason', async () => {
    const answer = await postEnvelope(dsn, eventEnvelope(sample()), { auth: false });
    expectRefusal(answer, [401, 403], /key|DSN|auth/i);
  });

  test('that nobody knows is 403 and names the project and the DSN', async () => {
    const stranger = { ...dsn, publicKey: '0123456789abcdef0123456789abcdef' };
    const answer = await postEnvelope(stranger, eventEnvelope(sample()));
    expectRefusal(answer, [403], /DSN/);
  });

  test('of another project is 403', async () => {
    const other = parseDsn((await makeProject('protocol-other')).dsn);
    const answer = await postEnvelope({ ...other, publicKey: dsn.publicKey }, eventEnvelope(sample()));
    expectRefusal(answer, [403], new RegExp(`\\b${other.projectId}\\b`));
  });

  test('given twice and differently is refused', async () => {
    const answer = await postEnvelope(dsn, eventEnvelope(sample()), {
      query: '?sentry_key=0123456789abcdef0123456789abcdef',
    });
    expectRefusal(answer, [400, 401], /different/i);
  });

  test('must fit the DSN within the envelope', async () => {
    const event = sample();
    const foreign = 'https://0123456789abcdef0123456789abcdef@errors.example.com/77';
    const body = buildEnvelope({ event_id: event.event_id, dsn: foreign }, [
      { type: 'event', payload: JSON.stringify(event) },
    ]);
    expectRefusal(await postEnvelope(dsn, body), [400, 403], /dsn/i);
  });

  testInFull('that was disabled is 403 from then on, until it is enabled again', async () => {
    const other = await makeProject('protocol-off');
    const send = () => postEnvelope(parseDsn(other.dsn), eventEnvelope(sample()));
    expect((await send()).status).toBe(200);
    const keys = `/api/0/projects/main/${other.slug}/keys/`;
    const [key] = await api.list<{ id: string }>(keys);
    const enable = (isActive: boolean) => api.request('PUT', `${keys}${key?.id}/`, { isActive });
    expect((await enable(false)).status).toBe(200);
    await until('the refusal of the key', async () => (await send()).status === 403);
    expectRefusal(await send(), [403], /disabled/);
    expect((await enable(true)).status).toBe(200);
    await until('the key to be taken', async () => (await send()).status === 200);
  });
});

describe.concurrent('the body', () => {
  const encodings: [string, (bytes: Buffer) => Buffer][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ];

  test.each(encodings)('is taken in %s', async (name, compress) => {
    const event = sample();
    const body = compress(eventEnvelope(event));
    const answer = await postEnvelope(dsn, body, { headers: { 'content-encoding': name } });
    expect([answer.status, answer.body]).toEqual([200, { id: event.event_id }]);
    await findEvent(api, slug, event.event_id);
  });

  test('that is no gzip though it says so is 400', async () => {
    const answer = await postEnvelope(dsn, eventEnvelope(sample()), {
      headers: { 'content-encoding': 'gzip' },
    });
    expectRefusal(answer, [400], /gzip|decompress|encoding/i);
  });

  const malformed: [string, string][] = [
    ['empty', ''],
    ['without a header', 'no json at all\n'],
    ['with an array for a header', '[]\n{"type":"event"}\n{}\n'],
    ['with a broken item header', '{}\n{"type": \n{}\n'],
    ['with an item without a type', '{}\n{"length":2}\n{}\n'],
    ['with an item that is shorter than it says', '{}\n{"type":"event","length":400}\n{"message":"x"}\n'],
    ['with an item that is longer than it says', '{}\n{"type":"event","length":3}\n{"message":"x"}\n'],
  ];

  test.each(malformed)('%s is 400 with the reason', async (_name, body) => {
    expectRefusal(await postEnvelope(dsn, Buffer.from(body)), [400], /\w{3,}/);
  });

  test('over the limit of an event is 413 with the limit', async () => {
    const event = { ...sample(), extra: { blob: 'x'.repeat(1.5 * MIB) } };
    expectRefusal(await postEnvelope(dsn, eventEnvelope(event)), [413], /1 MiB|1048576|1,048,576/);
  });

  test('over the limit of an envelope is 413 before it is sent', async () => {
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest(`${dsn.origin}/api/${dsn.projectId}/envelope/`, {
        method: 'POST',
        headers: { 'x-sentry-auth': authHeader(dsn), 'content-length': String(300 * MIB) },
      });
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('end', () => request.destroy());
      });
      request.on('error', reject);
      request.write('{}\n');
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toEqual({ detail: expect.stringMatching(/MiB|bytes/) });
  });

  test('of the older store endpoint is taken too', async () => {
    const event = sample();
    const response = await fetch(`${dsn.origin}/api/${dsn.projectId}/store/`, {
      method: 'POST',
      headers: { 'x-sentry-auth': authHeader(dsn), 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
    expect([response.status, await response.json()]).toEqual([200, { id: event.event_id }]);
    await findEvent(api, slug, event.event_id);
  });
});

describeInFull('a bomb of ten GiB of zeros', () => {
  test('is 413 in every encoding that can hold one; memory stays flat and nobody else is disturbed', async () => {
    const { edge } = await sharedErrata().pids();
    const beforeBytes = readPssBytes(edge);
    let peakBytes = beforeBytes;
    const sampler = setInterval(() => {
      peakBytes = Math.max(peakBytes, readPssBytes(edge));
    }, 20);

    const encodings = ['gzip', 'deflate', 'br', 'zstd'] as const;
    const bombs = Promise.all(encodings.map((encoding) => streamBomb(dsn, encoding)));
    const others: { event: string; status: number; ms: number }[] = [];
    let isOver = false;
    const disturbed = (async () => {
      do {
        const event = sample();
        const startedAt = performance.now();
        const answer = await postEnvelope(dsn, eventEnvelope(event));
        others.push({ event: event.event_id, status: answer.status, ms: performance.now() - startedAt });
        await sleep(20);
      } while (!isOver);
    })();
    const answers = await bombs.finally(() => {
      isOver = true;
    });
    await disturbed;
    clearInterval(sampler);

    for (const answer of answers) {
      expect(answer.status).toBe(413);
      expect(answer.body).toEqual({ detail: expect.stringMatching(/MiB|bytes|large/i) });
    }
    expect(peakBytes - beforeBytes).toBeLessThan(64 * MIB);
    expect(others.filter((one) => one.status !== 200 || one.ms > (IS_FULL ? 1_000 : 10_000))).toEqual([]);
    for (const one of others.slice(-3)) await findEvent(api, slug, one.event);
    const { edge: edgeAfter } = await sharedErrata().pids();
    expect(edgeAfter, 'the edge was not started anew').toBe(edge);
  });
});

describe.concurrent('the fate of items', () => {
  test('an event id that comes again is stored and counted once', async () => {
    const issueNumber = nextIssue++;
    const make = () => makeJavascriptError({ issue: issueNumber, bytes: 2000 });
    const event = make();
    for (let time = 0; time < 5; time++) {
      expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
    }
    const witness = make();
    await postEnvelope(dsn, eventEnvelope(witness));
    const { issue } = await findEvent(api, slug, witness.event_id);
    await findCounted(api, issue.id, 2);
    const events = await api.list<{ eventID: string }>(`/api/0/issues/${issue.id}/events/`);
    expect(events.map((one) => one.eventID).sort()).toEqual([event.event_id, witness.event_id].sort());
  });

  test('the dashed form of an event id is the same id', async () => {
    const event = sample();
    const dashed = event.event_id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const answer = await postEnvelope(dsn, eventEnvelope({ ...event, event_id: dashed }));
    expect(answer.body).toEqual({ id: event.event_id });
    await findEvent(api, slug, event.event_id);
  });

  test('an event without an id gets one', async () => {
    const { event_id: _none, ...event } = sample();
    const body = buildEnvelope({}, [{ type: 'event', payload: JSON.stringify(event) }]);
    const answer = await postEnvelope(dsn, body);
    expect(answer.status).toBe(200);
    const { id } = answer.body as { id: string };
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    await findEvent(api, slug, id);
  });

  test('unknown items are passed over, the event beside them is stored', async () => {
    const event = sample();
    const body = buildEnvelope({ event_id: event.event_id }, [
      { type: 'from_the_future', payload: '{"a":1}' },
      { type: 'event', payload: JSON.stringify(event) },
      { type: 'metric_buckets', payload: '[]' },
      { type: 'profile_chunk_of_tomorrow', payload: 'x:1|c' },
    ]);
    expect((await postEnvelope(dsn, body)).status).toBe(200);
    await findEvent(api, slug, event.event_id);
  });

  test('only unknown items are 200 as well', async () => {
    const body = buildEnvelope({}, [{ type: 'from_the_future', payload: '{}' }]);
    expect((await postEnvelope(dsn, body)).status).toBe(200);
  });

  test('one bad field does not cost the event', async () => {
    const event = { ...sample(), tags: 7, breadcrumbs: 'none', level: { odd: true }, release: ['x'] };
    expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
    const found = await findEvent(api, slug, event.event_id);
    expect(found.issue.title).toContain('TypeError');
  });

  test('an event of an hour-old clock is moved by the drift, one of next year to now', async () => {
    const hourMs = 3_600_000;
    const late = { ...sample(), timestamp: (Date.now() - 2 * hourMs) / 1000 };
    const drifted = buildEnvelope(
      { event_id: late.event_id, sent_at: new Date(Date.now() - 2 * hourMs).toISOString() },
      [{ type: 'event', payload: JSON.stringify(late) }],
    );
    const future = { ...sample(), timestamp: Date.now() / 1000 + 365 * 86_400 };
    await postEnvelope(dsn, drifted);
    await postEnvelope(dsn, eventEnvelope(future));
    for (const id of [late.event_id, future.event_id]) {
      const { event } = await findEvent(api, slug, id);
      expect(Math.abs(Date.parse(event.dateCreated) - Date.now())).toBeLessThan(60_000);
    }
  });
});

test('issues are counted exactly: as many as their events', async () => {
  const issues = await api.list<ApiIssue>(`/api/0/projects/main/${slug}/issues/?query=`);
  for (const issue of issues.slice(0, 20)) {
    const events = await api.list<{ eventID: string }>(`/api/0/issues/${issue.id}/events/`);
    expect([issue.title, Number(issue.count)]).toEqual([issue.title, events.length]);
  }
});

describe('browsers', () => {
  test('may ask before they send, and may read the reasons', async () => {
    const preflight = await fetch(`${dsn.origin}/api/${dsn.projectId}/envelope/`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-sentry-auth, content-encoding, content-type',
      },
    });
    expect([200, 204]).toContain(preflight.status);
    expect(preflight.headers.get('access-control-allow-origin')).toMatch(
      /^(\*|https:\/\/shop\.example\.com)$/,
    );
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    for (const name of ['x-sentry-auth', 'content-encoding', 'content-type', 'authorization']) {
      expect(allowed).toContain(name);
    }
    const answer = await postEnvelope(dsn, eventEnvelope(sample()), {
      headers: { origin: 'https://shop.example.com' },
    });
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase() ?? '';
    for (const name of ['x-sentry-error', 'x-sentry-rate-limits', 'retry-after']) {
      expect(exposed).toContain(name);
    }
  });
});

describe('the tunnel', () => {
  const tunnel = async (query: string, header: Record<string, unknown>) => {
    const event = sample();
    const body = buildEnvelope({ event_id: event.event_id, ...header }, [
      { type: 'event', payload: JSON.stringify(event) },
    ]);
    const response = await fetch(`${dsn.origin}/monitoring${query}`, {
      method: 'POST',
      body: new Uint8Array(body),
    });
    return { event, status: response.status, body: (await response.json()) as { detail?: string } };
  };
  const organizationId = async () =>
    (await api.get<{ id: string; slug: string }[]>('/api/0/organizations/'))[0]?.id ?? '';

  test('takes what is meant for the project that it names', async () => {
    const answer = await tunnel(`?o=${await organizationId()}&p=${dsn.projectId}`, { dsn: dsnText });
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    await findEvent(api, slug, answer.event.event_id);
  });

  test('refuses another project, another organization, a foreign DSN, no DSN and an unknown region', async () => {
    const o = await organizationId();
    const p = dsn.projectId;
    const foreign = `${new URL(dsnText).protocol}//${newEventId()}@o1.ingest.example.com/${p}`;
    const cases: [string, string, Record<string, unknown>, number][] = [
      ['another project', `?o=${o}&p=${Number(p) + 1000}`, { dsn: dsnText }, 400],
      ['another organization', `?o=${Number(o) + 1000}&p=${p}`, { dsn: dsnText }, 400],
      ['no project', `?o=${o}`, { dsn: dsnText }, 400],
      ['not a number', `?o=main&p=${p}`, { dsn: dsnText }, 400],
      ['an unknown key', `?o=${o}&p=${p}`, { dsn: foreign }, 403],
      ['an unknown region', `?o=${o}&p=${p}&r=mars`, { dsn: dsnText }, 400],
    ];
    for (const [name, query, header, status] of cases) {
      const answer = await tunnel(query, header);
      expect([name, answer.status]).toEqual([name, status]);
      expect(answer.body.detail).toMatch(/\w{3,}/);
    }
    expect([400, 401, 403]).toContain((await tunnel(`?o=${o}&p=${p}`, {})).status);
  });
});
