import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { makeZip } from '../harness/make-zip.ts';
import { type ApiScene, formWith, openApiScene } from './api-scene.ts';
import { ASSEMBLE, type Assembled, CHUNKS, newBundle, PROJECT, uploadCalls } from './upload-calls.ts';
import { DEBUG_ID, sha1 } from './upload-scene.ts';

let scene: ApiScene;
let calls: ReturnType<typeof uploadCalls>;
beforeAll(async () => {
  scene = await openApiScene();
  calls = uploadCalls(scene);
});
afterAll(() => scene?.close());

describe('an upload', () => {
  type Bundle = { bundleId: string };
  type Files = { files: { id: string; filePath: string; fileType: number; debugId: string | null }[] };
  const LIST = `${PROJECT}/files/artifact-bundles`;
  const FILES = `${PROJECT}/artifact-bundles/[bundle]/files`;

  async function newest(): Promise<string> {
    await calls.uploadBundle(newBundle());
    const [, [bundle]] = await scene.answer<Bundle[]>('GET', LIST);
    return bundle!.bundleId;
  }

  test('lists its files, and gives their content as a file to save', async () => {
    const bundle = await newest();
    const [, { files }] = await scene.answer<Files>('GET', FILES, { params: { bundle } });
    expect(files.map(({ filePath, fileType, debugId }) => [filePath, fileType, debugId])).toEqual([
      ['~/app.js', 2, DEBUG_ID],
      ['~/app.js.map', 3, DEBUG_ID],
    ]);
    const params = { bundle, file: files[0]!.id };
    const [, told] = await scene.answer<object>('GET', `${FILES}/[file]`, { params });
    expect(told).toMatchObject({ filePath: '~/app.js' });
    const download = await scene.ask('GET', `${FILES}/[file]`, { params, query: 'download=1' });
    expect(download.headers.get('content-disposition')).toContain('attachment; filename="app.js"');
    expect(download.headers.get('content-type')).toBe('application/octet-stream');
    expect(await download.text()).toMatch(/^run\("/);
  });

  test('says what is known of a file without a look at its content', async () => {
    const content = newBundle();
    await calls.uploadBundle(content);
    const [, [row]] = await scene.answer<Bundle[]>('GET', LIST);
    const bundle = row!.bundleId;
    const [, { files }] = await scene.answer<Files>('GET', FILES, { params: { bundle } });
    await scene.product.stores.artifactFiles.delete(scene.mine.id, sha1(content), Number.POSITIVE_INFINITY);
    const params = { bundle, file: files[0]!.id };
    expect((await scene.answer('GET', `${FILES}/[file]`, { params }))[0]).toBe(200);
    expect((await scene.answer('GET', `${FILES}/[file]`, { params, query: 'download=1' }))[0]).toBe(404);
  });

  test('is deleted by its number, for projects that have it only', async () => {
    const bundle = await newest();
    const query = `bundleId=${bundle}`;
    expect((await scene.answer('DELETE', LIST, { params: { project: 'api' }, query }))[0]).toBe(404);
    expect(await scene.answer('DELETE', LIST, { query })).toEqual([204, null]);
    expect((await scene.answer('GET', FILES, { params: { bundle } }))[0]).toBe(404);
    expect((await scene.answer('DELETE', LIST, { query: 'bundleId=x' }))[0]).toBe(404);
  });

  test('is of its organization alone', async () => {
    const bundle = newBundle();
    await calls.uploadBundle(bundle);
    const other = await scene.product.createOrganization();
    await scene.product.createProject(other, 'web');
    const token = await scene.tokenOf(await scene.product.join(other, 'owner'));
    const json = { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: ['web'] };
    expect((await scene.answer('POST', ASSEMBLE, { token, json }))[0]).toBe(404);
    expect(await scene.answer('POST', ASSEMBLE, { token, json, params: { org: other.slug } })).toMatchObject([
      200,
      { state: 'not_found', missingChunks: [sha1(bundle)] },
    ]);
  });
});

describe('mappings', () => {
  const LIST = `${PROJECT}/files/dsyms`;
  const MAPPING = '# compiler: R8\ncom.example.A -> a.a:\n    1:1:void run():3:3 -> b\n';
  const UUID = '5db7294d-87fc-5726-a5c0-4a90679657a5';
  type Dif = { id: string; debugId: string; sha1: string };

  test('come as an archive, and are found, read and deleted', async () => {
    const archive = makeZip([{ name: `proguard/${UUID}.txt`, content: MAPPING }]);
    const body = formWith({ name: 'mappings.zip', content: archive });
    const [status, files] = await scene.answer<Dif[]>('POST', LIST, { body });
    expect([status, files]).toMatchObject([201, [{ debugId: UUID, symbolType: 'proguard' }]]);
    expect(await scene.answer('GET', LIST, { query: `debug_id=${UUID}` })).toEqual([200, files]);
    expect(await scene.answer('GET', LIST, { query: 'query=nothing' })).toEqual([200, []]);
    const query = `id=${files[0]!.id}`;
    expect(await (await scene.ask('GET', LIST, { query })).text()).toBe(MAPPING);
    expect(await scene.answer('DELETE', LIST, { query })).toEqual([204, null]);
    expect((await scene.answer('GET', LIST, { query }))[0]).toBe(404);
    expect((await scene.answer('DELETE', LIST, {}))[0]).toBe(404);
  });

  test('come in parts, told by their name; what is native ends in an error', async () => {
    const content = `${MAPPING}# ${randomBytes(8).toString('hex')}\n`;
    await calls.send(content);
    const native = sha1('native');
    const [status, answers] = await scene.answer<Record<string, Assembled & { dif: Dif | null }>>(
      'POST',
      `${PROJECT}/files/difs/assemble`,
      {
        json: {
          [sha1(content)]: { name: `/proguard/${UUID}.txt`, chunks: [sha1(content)] },
          [native]: { name: 'libshop.so', debug_id: UUID, chunks: [native] },
        },
      },
    );
    expect(status).toBe(200);
    expect(answers[sha1(content)]).toMatchObject({ state: 'ok', dif: { debugId: UUID } });
    expect(answers[native]).toMatchObject({
      state: 'error',
      dif: null,
      detail: expect.stringContaining('dump_syms'),
    });
  });

  test('have a form with a file, and a release that nobody keeps', async () => {
    expect((await scene.answer('POST', LIST, { body: new FormData() }))[0]).toBe(400);
    expect(await scene.answer('POST', `${LIST}/associate`, { json: {} })).toEqual([
      200,
      { associatedDsymFiles: [] },
    ]);
    const path = `${PROJECT}/files/proguard-artifact-releases`;
    const json = { release_name: 'shop@1', proguard_uuid: '00000000-0000-5000-8000-000000000000' };
    expect((await scene.answer('POST', path, { json }))[0]).toBe(400);
  });
});

test('a build may upload and look, and delete nothing but files of releases', async () => {
  const { token } = await createOrganizationToken(scene.owner, { name: 'Build' });
  const bundle = newBundle();
  const body = formWith({ name: sha1(bundle), content: bundle });
  expect(await scene.answer('POST', CHUNKS, { token, body })).toEqual([200, {}]);
  const json = { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: ['web'] };
  expect(await scene.answer('POST', ASSEMBLE, { token, json })).toMatchObject([200, { state: 'ok' }]);
  const list = `${PROJECT}/files/artifact-bundles`;
  const [status, [row]] = await scene.answer<{ bundleId: string }[]>('GET', list, { token });
  expect(status).toBe(200);
  expect((await scene.answer('DELETE', list, { token, query: `bundleId=${row!.bundleId}` }))[0]).toBe(403);
});
