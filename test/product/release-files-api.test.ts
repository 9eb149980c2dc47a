import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testInFull } from '../harness/is-full.ts';
import { type ApiScene, formWith, openApiScene } from './api-scene.ts';
import { sha1 } from './upload-scene.ts';

const MIB = 1024 * 1024;
type File = { id: string; name: string; dist: string | null; sha1: string; headers: Record<string, string> };

let scene: ApiScene;
let version: string;
beforeAll(async () => {
  scene = await openApiScene();
});
beforeEach(async () => {
  version = `shop@${randomBytes(4).toString('hex')}/1`;
  await scene.product.ingest(scene.mine, [{ projectId: scene.web.id, release: version }]);
});
afterAll(() => scene?.close());

const inPath = () => ({ version });

describe.each(['organizations/[org]', 'projects/[org]/[project]'])('files of a release below %s', (base) => {
  const LIST = `${base}/releases/[version]/files`;
  const ONE = `${LIST}/[file]`;
  const upload = (fields: readonly (readonly [string, string])[], content = 'run()', name = 'app.js') =>
    scene.answer<File & { detail: string }>('POST', LIST, {
      params: inPath(),
      body: formWith({ name, content }, fields),
    });
  const list = async (query = ''): Promise<File[]> =>
    (await scene.answer<File[]>('GET', LIST, { params: inPath(), query }))[1];

  test('are named by what comes behind them, and keep their headers', async () => {
    const [status, file] = await upload([
      ['name', '~/assets/app.js'],
      ['dist', '7'],
      ['header', 'Sourcemap: app.js.map'],
      ['header', 'debug-id:0d6f3c1e-6a43-4b1f-9f0a-7a4e2d1c5b38'],
    ]);
    expect([status, file]).toMatchObject([
      201,
      {
        name: '~/assets/app.js',
        dist: '7',
        size: 5,
        sha1: sha1('run()'),
        headers: { Sourcemap: 'app.js.map', 'debug-id': '0d6f3c1e-6a43-4b1f-9f0a-7a4e2d1c5b38' },
      },
    ]);
    const params = { ...inPath(), file: file.id };
    expect(await scene.answer('GET', ONE, { params })).toEqual([200, file]);
    const download = await scene.ask('GET', ONE, { params, query: 'download=1' });
    expect([await download.text(), download.headers.get('content-disposition')]).toEqual([
      'run()',
      expect.stringContaining('attachment; filename="app.js"'),
    ]);
  });

  test('take the place of one with the same name and dist', async () => {
    await upload([['name', '~/app.js']], 'old()');
    await upload([['name', '~/app.js']], 'new()');
    await upload([
      ['name', '~/app.js'],
      ['dist', '8'],
    ]);
    expect((await list()).map(({ dist, sha1: checksum }) => [dist, checksum])).toEqual([
      ['8', sha1('run()')],
      [null, sha1('new()')],
    ]);
  });

  test('are found by part of their name and by their checksum', async () => {
    await upload([['name', '~/first.js']], 'first()');
    await upload([['name', '~/second.js']], 'second()');
    expect((await list('query=seco')).map(({ name }) => name)).toEqual(['~/second.js']);
    expect((await list(`checksum=${sha1('first()')}&checksum=${sha1('x')}`)).map(({ name }) => name)).toEqual(
      ['~/first.js'],
    );
  });

  test('are renamed and deleted', async () => {
    const [, { id }] = await upload([['name', '~/app.js']]);
    const params = { ...inPath(), file: id };
    expect(await scene.answer('PUT', ONE, { params, json: { name: '~/other.js', dist: '9' } })).toMatchObject(
      [200, { name: '~/other.js', dist: '9' }],
    );
    expect(await scene.answer('DELETE', ONE, { params })).toEqual([204, null]);
    expect(await list()).toEqual([]);
    expect((await scene.answer('DELETE', ONE, { params }))[0]).toBe(404);
    expect((await scene.answer('GET', ONE, { params: { ...inPath(), file: 'x' } }))[0]).toBe(404);
  });

  test.each([
    ['without a name', [], 'file', /name/i],
    ['with a header that is none', [['header', 'Sourcemap']], 'app.js', /Name:value/],
    ['with a line break in its name', [['name', '~/a\nb.js']], 'app.js', /line break/],
  ] as const)('%s are refused', async (_what, fields, name, reason) => {
    expect(await upload(fields, 'run()', name)).toEqual([400, { detail: expect.stringMatching(reason) }]);
    expect(await list()).toEqual([]);
  });

  testInFull('are bounded, and have to be there', async () => {
    const [status] = await upload([['name', '~/large.js']], 'x'.repeat(40 * MIB + 1));
    expect(status).toBe(400);
    expect((await scene.answer('POST', LIST, { params: inPath(), body: new FormData() }))[0]).toBe(400);
    expect(await list()).toEqual([]);
  });

  test('come after a connection that broke as if nothing had been', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.js"\r\n\r\nrun()\r\n--x\r\n`;
        controller.enqueue(Buffer.from(head));
        setTimeout(() => controller.error(new Error('aborted')), 20);
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await scene.answer('POST', LIST, { params: inPath(), headers, body }))[0]).toBe(400);
    expect(await list()).toEqual([]);
  });
});

test('a file of a project is not one of another', async () => {
  const LIST = 'projects/[org]/[project]/releases/[version]/files';
  const [, { id }] = await scene.answer<File>('POST', LIST, {
    params: inPath(),
    body: formWith({ name: 'a.js', content: 'run()' }, [['name', '~/a.js']]),
  });
  const params = { ...inPath(), project: 'api' };
  expect(await scene.answer('GET', LIST, { params })).toEqual([200, []]);
  expect((await scene.answer('GET', `${LIST}/[file]`, { params: { ...params, file: id } }))[0]).toBe(404);
});
