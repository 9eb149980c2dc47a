import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testInFull } from '../harness/is-full.ts';
import { type ApiScene, formWith, openApiScene } from './api-scene.ts';
import { PUBLIC_URL } from './open-product.ts';
import { CHUNKS, newBundle, ORG, PROJECT, uploadCalls } from './upload-calls.ts';
import { sha1 } from './upload-scene.ts';

const MIB = 1024 * 1024;

let scene: ApiScene;
let calls: ReturnType<typeof uploadCalls>;
beforeAll(async () => {
  scene = await openApiScene();
  calls = uploadCalls(scene);
});
afterAll(() => scene?.close());

describe('how to upload', () => {
  const urlFor = async (agent: string) => {
    const [, { url }] = await scene.answer<{ url: string }>('GET', CHUNKS, {
      headers: { 'user-agent': agent },
    });
    return url;
  };

  test('has bounds that all clients can work with', async () => {
    const [status, options] = await scene.answer<Record<string, unknown>>('GET', CHUNKS);
    expect(status).toBe(200);
    expect(options).toMatchObject({
      chunkSize: 8 * MIB,
      chunksPerRequest: 64,
      maxRequestSize: 32 * MIB,
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      accept: expect.arrayContaining(['release_files', 'artifact_bundles_v2', 'proguard']),
    });
  });

  test('leads sentry-cli where it came from, and all others to the public address', async () => {
    const relative = `organizations/${scene.mine.slug}/chunk-upload/`;
    expect(await urlFor('sentry-cli/3.8.0')).toBe(relative);
    expect(await urlFor('sentry-cli/0.45.0 (linux-x64) node/24.21.0')).toBe(
      `${PUBLIC_URL}/api/0/${relative}`,
    );
    expect(await urlFor('curl/8')).toBe(`${PUBLIC_URL}/api/0/${relative}`);
  });
});

describe('parts', () => {
  test('are taken plain and packed, several at once', async () => {
    const bundle = newBundle();
    const [head, tail] = [bundle.subarray(0, 100), bundle.subarray(100)];
    const form = formWith({ name: sha1(head), content: head });
    form.append('file_gzip', new Blob([new Uint8Array(gzipSync(tail))]), sha1(tail));
    expect(await scene.answer('POST', CHUNKS, { body: form })).toEqual([200, {}]);
    expect(await calls.assemble(bundle, { chunks: [sha1(head), sha1(tail)] })).toEqual([
      200,
      { state: 'ok', missingChunks: [], detail: null },
    ]);
  });

  test('that are not what their name says are refused, and not kept', async () => {
    const bundle = newBundle();
    const [status, { detail }] = await calls.send('something else', sha1(bundle));
    expect([status, detail]).toEqual([400, expect.stringMatching(/checksum|SHA-1/)]);
    expect(await calls.assemble(bundle)).toMatchObject([
      200,
      { state: 'not_found', missingChunks: [sha1(bundle)] },
    ]);
  });

  test.each([
    ['of another name', 'chunk', undefined, /"file"/],
    ['with a name that is no checksum', 'file', 'app.js', /checksum/],
    ['that say they are packed and are not', 'file_gzip', undefined, /gzip/],
  ])('%s are refused', async (_what, field, name, reason) => {
    expect(await calls.send('content', name, field)).toEqual([
      400,
      { detail: expect.stringMatching(reason) },
    ]);
  });

  test('are bounded in number, in bytes and in bytes once unpacked', async () => {
    const many = new FormData();
    for (let part = 0; part < 65; part++) many.append('file', new Blob([String(part)]), sha1(String(part)));
    expect(await scene.answer('POST', CHUNKS, { body: many })).toEqual([
      400,
      { detail: expect.stringContaining('64') },
    ]);
    const bomb = gzipSync(Buffer.alloc(9 * MIB));
    expect((await calls.send(bomb, sha1(Buffer.alloc(9 * MIB)), 'file_gzip'))[0]).toBe(400);
    expect(await calls.send(Buffer.alloc(9 * MIB))).toEqual([400, { detail: expect.stringMatching(/\d/) }]);
  });

  test('of a request that is too large are given up before it has been read', async () => {
    let sent = 0;
    const head = Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="comment"; filename="${sha1('')}"\r\n\r\n`,
    );
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? head : new Uint8Array(MIB));
        sent += 1;
        if (sent > 200) controller.close();
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const [status] = await scene.answer('POST', CHUNKS, { headers, body });
    expect(status).toBe(400);
    expect(sent).toBeLessThan(100);
  });

  test('of a connection that breaks leave nothing, and are no defect', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(
          Buffer.from(
            `--x\r\nContent-Disposition: form-data; name="file"; filename="${sha1('whole')}"\r\n\r\nwho`,
          ),
        );
        setTimeout(() => controller.error(new Error('aborted')), 20);
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await scene.answer('POST', CHUNKS, { headers, body })).toEqual([
      400,
      { detail: expect.stringContaining('connection') },
    ]);
  });

  test('have to come as a form', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const [status] = await scene.answer('POST', CHUNKS, { headers, body: new Uint8Array(3) });
    expect(status).toBe(400);
  });
});

describe('what is put together', () => {
  test('is an upload of its projects and its release', async () => {
    const version = `shop@${randomBytes(4).toString('hex')}/feature`;
    await calls.uploadBundle(newBundle(), { projects: ['web', String(scene.api.id)], version, dist: '7' });
    for (const project of ['web', 'api']) {
      const [, [bundle]] = await scene.answer<object[]>('GET', `${PROJECT}/files/artifact-bundles`, {
        params: { project },
      });
      expect(bundle).toMatchObject({ fileCount: 2, associations: [{ release: version, dist: '7' }] });
    }
  });

  test('asks for the parts that are missing, for each project that there is', async () => {
    const bundle = newBundle();
    expect(await calls.assemble(bundle)).toEqual([
      200,
      { state: 'not_found', missingChunks: [sha1(bundle)], detail: null },
    ]);
    // Clients read 404 as "the release is not there".
    expect(await calls.assemble(bundle, { projects: ['gone'] })).toEqual([
      400,
      { detail: expect.stringContaining('"gone"') },
    ]);
    expect((await calls.assemble(bundle, { projects: [] }))[0]).toBe(400);
    expect((await calls.assemble(bundle, { checksum: 'x' }))[0]).toBe(400);
  });

  test('ends in a state when it is no bundle', async () => {
    const bytes = Buffer.from(`no zip ${randomBytes(8).toString('hex')}`);
    await calls.send(bytes);
    const [status, { state, detail }] = await calls.assemble(bytes);
    expect([status, state, detail]).toEqual([200, 'error', expect.stringMatching(/\w/)]);
  });

  testInFull('for a release without naming projects is for those of the release', async () => {
    const version = `shop@${randomBytes(4).toString('hex')}`;
    const path = `${ORG}/releases/[version]/assemble`;
    const bundle = newBundle();
    await calls.send(bundle);
    const json = { checksum: sha1(bundle), chunks: [sha1(bundle)] };
    const params = { version };
    expect(await scene.answer('POST', path, { params, json })).toMatchObject([
      200,
      { state: 'error', detail: expect.stringContaining(version) },
    ]);
    await scene.product.ingest(scene.mine, [{ projectId: scene.api.id, release: version }]);
    expect(await scene.answer('POST', path, { params, json })).toMatchObject([200, { state: 'ok' }]);
    const list = `${PROJECT}/files/source-maps`;
    const query = `name=${encodeURIComponent(version)}`;
    expect(await scene.answer('GET', list, { params: { project: 'api' }, query })).toMatchObject([
      200,
      [{ type: 'bundle', name: version, fileCount: 2 }],
    ]);
    expect(await scene.answer('GET', list, { query })).toEqual([200, []]);
    expect(await scene.answer('DELETE', list, { params: { project: 'api' }, query })).toEqual([204, null]);
    expect(await scene.answer('GET', list, { params: { project: 'api' }, query })).toEqual([200, []]);
    expect((await scene.answer('DELETE', list, {}))[0]).toBe(400);
  });
});
