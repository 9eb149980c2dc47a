import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/api-client.ts';
import { readPssBytes } from '../../harness/processes.ts';
import { makeProject, sharedErrata } from '../../harness/shared-errata.ts';

const MIB = 1024 * 1024;
/** So many that what they bring is far more than the engine keeps before it clears up. */
const FORMS = 8;
const BOUNDARY = 'x-uploads-x';
const CHUNKS = '/api/0/organizations/main/chunk-upload/';
const SCOPES = 'org:read,project:read,project:write,project:releases,event:read';

let slug: string;
let token: string;
let api: ApiClient;
beforeAll(async () => {
  ({ slug, api } = await makeProject('uploads'));
  token = await sharedErrata().token(SCOPES);
});

type Sending = { request: ClientRequest; answered: Promise<number> };

/** Sends the beginning of a form, and leaves it open. */
async function begin(head: Buffer, bytes: number): Promise<Sending> {
  const request = httpRequest(`${sharedErrata().url}${CHUNKS}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': bytes,
    },
  });
  const answered = once(request, 'response').then(([response]) => {
    (response as IncomingMessage).resume();
    return (response as IncomingMessage).statusCode ?? 0;
  });
  if (!request.write(head)) await once(request, 'drain');
  return { request, answered };
}

/** Four parts of one request, together nearly as large as one may be. */
function formOf(): Buffer {
  const parts = Array.from({ length: 4 }, () => {
    const content = randomBytes(7 * MIB);
    const name = createHash('sha1').update(content).digest('hex');
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')]);
  });
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

async function sendAll(forms: readonly Buffer[], atHalf: () => Promise<void>): Promise<number[]> {
  const sending = await Promise.all(
    forms.map((form) => begin(form.subarray(0, form.length - 1_000), form.length)),
  );
  await atHalf();
  return Promise.all(
    sending.map(({ request, answered }, index) => {
      request.end(forms[index]!.subarray(-1_000));
      return answered;
    }),
  );
}

describe('parts of uploads', () => {
  test('are written as they come: what is on its way is not held in memory', {
    timeout: 120_000,
  }, async () => {
    const { web } = await sharedErrata().pids();
    // Once, so that nothing is loaded for the first time below.
    expect(await sendAll([formOf()], async () => {})).toEqual([200]);
    const forms = Array.from({ length: FORMS }, formOf);
    const before = readPssBytes(web);
    let during = 0;
    const statuses = await sendAll(forms, async () => {
      await sleep(2_000);
      during = readPssBytes(web);
    });
    expect(statuses).toEqual(forms.map(() => 200));
    const heldBytes = forms.reduce((sum, { length }) => sum + length, 0);
    console.log(
      `${Math.round(heldBytes / MIB)} MiB on their way took ${Math.round((during - before) / MIB)} MiB of the web role`,
    );
    // Whoever held them would need all of it; the engine keeps some 100 MiB of what it reads for a while.
    expect(during - before).toBeLessThan(heldBytes * 0.75);
  });

  test('that are refused in the middle are answered so, and the connection goes on', async () => {
    const form = formOf();
    // One bit of the first part is another one.
    form[300_000] = (form[300_000] ?? 0) ^ 1;
    expect(await sendAll([form], async () => {})).toEqual([400]);
  });

  test('of somebody who goes away leave the server as it was', async () => {
    const form = formOf();
    const { request, answered } = await begin(form.subarray(0, 10 * MIB), form.length);
    answered.catch(() => {});
    request.on('error', () => {});
    request.destroy();
    await sleep(200);
    expect((await api.request('GET', '/api/0/organizations/main/')).status).toBe(200);
    const again = await sendAll([form], async () => {});
    expect(again).toEqual([200]);
  });
});

test('a release with slashes and signs in its name is the same one in a path', async () => {
  const version = `team/${slug}@1.0.0+7 (ü%2F)`;
  const path = `/api/0/projects/main/${slug}/releases/${encodeURIComponent(version)}`;
  const releases = `/api/0/projects/main/${slug}/releases/`;
  const asked = await sharedErrata().token(SCOPES);
  const post = (url: string, init: RequestInit) =>
    fetch(`${sharedErrata().url}${url}`, {
      ...init,
      method: 'POST',
      headers: { authorization: `Bearer ${asked}`, ...(init.headers as Record<string, string>) },
    });
  const made = await post(releases, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version }),
  });
  expect([made.status, ((await made.json()) as { version: string }).version]).toEqual([201, version]);
  const form = new FormData();
  form.append('file', new Blob(['run()']), 'app.js');
  form.append('name', '~/app.js');
  expect((await post(`${path}/files/`, { body: form })).status).toBe(201);
  const files = await api.get<{ name: string }[]>(`${path}/files/`);
  expect(files.map(({ name }) => name)).toEqual(['~/app.js']);
});
