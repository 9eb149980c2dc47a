import { randomFillSync } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import {
  authHeader,
  buildEnvelope,
  type Dsn,
  newEventId,
  parseDsn,
  postEnvelope,
} from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { testInFull } from '../harness/is-full.ts';
import { readPssBytes } from '../harness/processes.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, sharedErrata } from '../harness/shared-errata.ts';

const MIB = 1024 * 1024;
/** Chunks that were written and not collected yet: V8 looks after 64 MiB of them. */
const GARBAGE_BYTES_MAX = 112 * MIB;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let api: ApiClient;
let slug: string;
let dsn: Dsn;
beforeAll(async () => {
  const project = await makeProject('ingest-endpoints');
  api = project.api;
  slug = project.slug;
  dsn = parseDsn(project.dsn);
});

const post = (
  route: string,
  body: string | Uint8Array | FormData | null,
  headers: Record<string, string> = {},
) =>
  fetch(`${dsn.origin}/api/${dsn.projectId}/${route}`, {
    method: 'POST',
    headers: { 'x-sentry-auth': authHeader(dsn), ...headers },
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
  });

const blobFiles = (): string[] => {
  const folder = path.join(sharedErrata().dataDir, 'blobs');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
    : [];
};

describe('the running server', () => {
  test('stores what older clients send to /store/, by POST and by GET', async () => {
    const sent = [1, 2, 3].map((issue) => makeJavascriptError({ issue: 7000 + issue, bytes: 1500 }));
    const [plain, packed, inQuery] = sent;
    expect((await post('store/', JSON.stringify(plain))).status).toBe(200);
    const base64 = deflateSync(JSON.stringify(packed)).toString('base64');
    expect((await post('store/', base64)).status).toBe(200);
    const data = encodeURIComponent(deflateSync(JSON.stringify(inQuery)).toString('base64'));
    const pixel = await fetch(
      `${dsn.origin}/api/${dsn.projectId}/store/?sentry_key=${dsn.publicKey}&sentry_version=7&sentry_data=${data}`,
    );
    expect([pixel.status, pixel.headers.get('content-type')]).toEqual([200, 'image/gif']);
    for (const event of sent) await findEvent(api, slug, event.event_id);
  });

  const csp = JSON.stringify({
    'csp-report': {
      'document-uri': 'https://shop.example.com/',
      'effective-directive': 'img-src',
      'blocked-uri': 'https://evil.example.com/x.png',
      'original-policy': "img-src 'self'",
    },
  });
  const nel = JSON.stringify([
    {
      age: 1,
      type: 'network-error',
      url: 'https://shop.example.com/',
      body: { type: 'dns.name_not_resolved' },
    },
  ]);
  const answers: [
    route: string,
    body: string | Uint8Array,
    contentType: string,
    status: number,
    answer: string,
  ][] = [
    ['security/', csp, 'application/csp-report', 200, ''],
    ['csp-report/', csp, 'application/csp-report', 200, ''],
    ['nel/', nel, 'application/reports+json', 200, ''],
    ['cron/nightly/?status=ok', '', 'text/plain', 202, ''],
    ['cron/nightly', JSON.stringify({ status: 'ok', duration: 2 }), 'application/json', 202, ''],
    ['otlp/v1/traces', '{"resourceSpans":[]}', 'application/json', 200, '{}'],
    ['integration/otlp/v1/traces/', new Uint8Array([10, 0]), 'application/x-protobuf', 200, ''],
    ['integration/otlp/v1/logs', '{"resourceLogs":[]}', 'application/json', 200, '{}'],
  ];
  test.each(answers)('answers /%s', async (route, body, contentType, status, answer) => {
    const response = await post(route, body, { 'content-type': contentType });
    expect([response.status, await response.text()]).toEqual([status, answer]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('takes crash reports and answers their id', async () => {
    const form = new FormData();
    form.append('upload_file_minidump', new File(['MDMP and no more'], 'crash.dmp'));
    form.append('sentry[release]', 'game@1');
    form.append('log', new File(['a log'], 'game.log'));
    const unreal = `unreal/${dsn.publicKey}/?UserID=me`;
    for (const response of [
      await post('minidump/', form),
      await post('minidump', 'MDMP and no more', { 'content-type': 'application/octet-stream' }),
      await post('minidump/', gzipSync('MDMP and no more'), { 'content-type': 'application/x-dmp' }),
      await post(unreal, deflateSync('CR1 and no more')),
    ]) {
      expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(UUID)]);
    }
  });

  testInFull('streams large attachments to the disk: its memory does not follow them', async () => {
    const event = makeJavascriptError({ issue: 7100, bytes: 1500 });
    const { edge } = await sharedErrata().pids();
    const beforeBytes = readPssBytes(edge);
    let peakBytes = beforeBytes;
    const sampler = setInterval(() => {
      peakBytes = Math.max(peakBytes, readPssBytes(edge));
    }, 20);
    const large = buildEnvelope({ event_id: event.event_id }, [
      { type: 'event', payload: JSON.stringify(event) },
      {
        type: 'attachment',
        payload: randomFillSync(Buffer.alloc(190 * MIB)),
        headers: { filename: 'large.bin' },
      },
    ]);
    const answer = await postEnvelope(dsn, large);
    const form = new FormData();
    form.append('file', new File([randomFillSync(new Uint8Array(5 * MIB))], 'later.bin'));
    const later = await post(`events/${event.event_id}/attachments/`, form);
    clearInterval(sampler);
    expect([answer.status, answer.body, later.status]).toEqual([200, { id: event.event_id }, 201]);
    expect(peakBytes - beforeBytes).toBeLessThan(GARBAGE_BYTES_MAX);
    // Blocks that compressing does not make smaller are kept as they are, each with a few bytes before it.
    const sizes = blobFiles().map((file) => Math.floor(statSync(file).size / MIB));
    expect(sizes).toEqual(expect.arrayContaining([190, 5]));
    await findEvent(api, slug, event.event_id);
  });

  test('says of what it does not take what it would', async () => {
    const cases: [Response, number, RegExp][] = [
      [await post('minidump/', 'no dump'), 400, /MDMP/],
      [await post(`unreal/${dsn.publicKey}/`, 'no report'), 400, /Unreal/],
      [await post('security/', '{}', { 'content-type': 'text/plain' }), 415, /csp-report/],
      [await post('otlp/v1/traces', '{}', { 'content-type': 'text/plain' }), 415, /x-protobuf/],
      [await post('cron/nightly', null), 400, /status/],
      [await post(`events/${newEventId()}/attachments/`, 'x'), 400, /multipart/],
      [await fetch(`${dsn.origin}/api/${dsn.projectId}/nel/`), 405, /POST/],
    ];
    for (const [response, status, reason] of cases) {
      expect([response.status, await response.json()]).toEqual([
        status,
        { detail: expect.stringMatching(reason) },
      ]);
    }
  });
});
