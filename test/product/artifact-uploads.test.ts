import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { listBundleFiles, openBundleFile } from '#product/artifacts/bundle-files.ts';
import { getBundle, listBundles } from '#product/artifacts/bundles.ts';
import { storeChunk } from '#product/artifacts/store-chunk.ts';
import { testInFull } from '../harness/is-full.ts';
import { makeBundle, makeZip } from '../harness/make-zip.ts';
import { openProduct, type Product } from './open-product.ts';
import { askFor, cut, DEBUG_ID, piecesOf, sha1, storePart, upload } from './upload-scene.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

const MIB = 1024 * 1024;

let product: Product;
let mine: Organization;
let member: Joined;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  mine = await product.createOrganization();
  await product.createProject(mine, 'web');
  await product.createProject(mine, 'api');
  member = await product.join(mine, 'member');
});
afterAll(async () => {
  await product?.close();
});

/** Different from every other one. */
const newBundle = (manifest: Readonly<Record<string, unknown>> = {}): Buffer =>
  makeBundle(
    [
      {
        url: '~/app.js',
        type: 'minified_source',
        content: `throw "${randomBytes(8).toString('hex')}"`,
        headers: { 'debug-id': DEBUG_ID, Sourcemap: 'app.js.map' },
      },
      {
        url: '~/app.js.map',
        type: 'source_map',
        content: randomBytes(4_000),
        headers: { 'debug-id': DEBUG_ID },
      },
    ],
    manifest,
  );
const all = { projectSlugs: [], version: null, search: '', cursor: null, limit: 10 };
const listed = async (ctx = member) => (await listBundles(ctx, all)).bundles;
const has = (bytes: Buffer | string, organization = mine) =>
  product.stores.artifactFiles.has(organization.id, sha1(bytes));
const failed = (detail: RegExp) => ({
  state: 'error',
  missingChunks: [],
  detail: expect.stringMatching(detail),
});

describe('an upload', () => {
  test('is asked for, sent in parts, and then there with its files and its release', async () => {
    const bundle = newBundle();
    const parts = cut(bundle, 3);
    const input = { parts: 3, version: 'web@1.0.0', dist: 'a' };
    expect(await askFor(member, bundle, input)).toEqual({
      state: 'not_found',
      missingChunks: parts.map(sha1),
      detail: null,
    });
    await storePart(member, parts[1] ?? '');
    expect((await askFor(member, bundle, input)).missingChunks).toEqual(
      [0, 2].map((at) => sha1(parts[at] ?? '')),
    );
    expect(await listed()).toEqual([]);
    expect(await upload(member, bundle, input)).toEqual({ state: 'ok', missingChunks: [], detail: null });

    const [row] = await listed();
    expect(row).toMatchObject({
      kind: 'bundle',
      checksum: sha1(bundle),
      bytes: bundle.length,
      projectSlugs: ['web'],
      releases: [{ version: 'web@1.0.0', dist: 'a' }],
      fileCount: 2,
    });
    expect(await getBundle(member, { bundleId: row?.id ?? 0, projectSlugs: ['web'] })).toEqual(row);
    const { files } = await listBundleFiles(member, { ...all, bundleId: row?.id ?? 0 });
    expect(files.map(({ url, kind, debugId }) => [url, kind, debugId])).toEqual([
      ['~/app.js', 'minified_source', DEBUG_ID],
      ['~/app.js.map', 'source_map', DEBUG_ID],
    ]);
    const { content, bytes } = await openBundleFile(member, {
      bundleId: row?.id ?? 0,
      fileId: files[0]?.id ?? 0,
    });
    const text = Buffer.concat(await content.toArray()).toString();
    expect([text.slice(0, 7), text.length]).toEqual(['throw "', bytes]);
    const release = await product.stores.releases.findRelease(mine.id, row?.projectIds ?? [], 'web@1.0.0');
    expect(release?.version).toBe('web@1.0.0');
  });

  test('of the same archive again needs no part, and joins its projects and releases', async () => {
    const bundle = newBundle();
    await upload(member, bundle, { version: '1' });
    expect((await askFor(member, bundle, { version: '2', projectSlugs: ['api'] })).state).toBe('ok');
    expect(await listed()).toMatchObject([
      { projectSlugs: ['api', 'web'], releases: [{ version: '1' }, { version: '2' }], fileCount: 2 },
    ]);
  });

  test('by many at once is one', async () => {
    const bundle = newBundle();
    for (const part of cut(bundle, 2)) await storePart(member, part);
    const answers = await Promise.all(Array.from({ length: 8 }, () => askFor(member, bundle, { parts: 2 })));
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['ok']));
    expect(await listed()).toHaveLength(1);
  });

  test('takes its project, release and dist from the archive when the request names none', async () => {
    const bundle = newBundle({ project: 'api', release: 'api@3', dist: 'x' });
    expect((await upload(member, bundle, { projectSlugs: [] })).state).toBe('ok');
    expect(await listed()).toMatchObject([
      { projectSlugs: ['api'], releases: [{ version: 'api@3', dist: 'x' }] },
    ]);
    const other = newBundle({ project: 'api', release: 'api@3', dist: 'x' });
    await upload(member, other, { version: 'web@4', dist: 'y' });
    expect((await listed())[0]).toMatchObject({
      projectSlugs: ['web'],
      releases: [{ version: 'web@4', dist: 'y' }],
    });
  });

  test('without any project goes to those of its release, else says what to name', async () => {
    const nameless = newBundle();
    expect(await upload(member, nameless, { projectSlugs: [] })).toEqual(failed(/Specify the project/));
    expect(await askFor(member, nameless, { projectSlugs: [], version: '9' })).toEqual(
      failed(/create it first/),
    );
    await upload(member, newBundle(), { version: '9' });
    expect((await askFor(member, nameless, { projectSlugs: [], version: '9' })).state).toBe('ok');
    expect((await listed())[0]?.projectSlugs).toEqual(['web']);
  });

  test('whose bytes were lost is asked for again', async () => {
    const bundle = newBundle();
    await upload(member, bundle);
    await product.stores.artifactFiles.delete(mine.id, sha1(bundle), Number.POSITIVE_INFINITY);
    expect(await askFor(member, bundle)).toMatchObject({ state: 'not_found', missingChunks: [sha1(bundle)] });
    await storePart(member, bundle);
    expect((await askFor(member, bundle)).state).toBe('ok');
    expect(await listed()).toHaveLength(1);
  });
});

describe('a part', () => {
  const send = (encoding: 'none' | 'gzip', body: AsyncIterable<Uint8Array>, checksum: string) =>
    storeChunk(member, { checksum, encoding, body });

  test('may be compressed, and is kept as it was', async () => {
    const bytes = randomBytes(50_000);
    expect(await send('gzip', piecesOf(gzipSync(bytes)), sha1(bytes).toUpperCase())).toEqual({
      checksum: sha1(bytes),
      bytes: bytes.length,
    });
    expect(await has(bytes)).toBe(true);
  });

  test('with another checksum, too many bytes, or bytes that are no gzip leaves nothing', async () => {
    const bytes = randomBytes(9 * MIB);
    const refused = (code: string) => expect.objectContaining({ code });
    await expect(send('none', piecesOf('hello'), sha1('other'))).rejects.toEqual(refused('invalid'));
    await expect(send('none', piecesOf(bytes, MIB), sha1(bytes))).rejects.toEqual(refused('invalid'));
    await expect(send('gzip', piecesOf('hello'), sha1('hello'))).rejects.toEqual(refused('invalid'));
    await expect(send('none', piecesOf('hello'), '../../etc/passwd')).rejects.toEqual(refused('invalid'));
    expect([await has('hello'), await has('other'), await has(bytes)]).toEqual([false, false, false]);
  });

  testInFull('that unpacks without an end is cut off', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB));
    let taken = 0;
    async function* watched() {
      for await (const piece of piecesOf(bomb, 1024)) {
        taken += piece.length;
        yield piece;
      }
    }
    await expect(send('gzip', watched(), sha1('bomb'))).rejects.toMatchObject({ code: 'invalid' });
    // Each of its bytes is a thousand: a part may have 8 MiB of the 200.
    expect(taken).toBeLessThan(bomb.length / 2);
  });

  test('whose client hangs up leaves nothing that can be read', async () => {
    const bytes = randomBytes(20_000);
    async function* broken() {
      yield bytes.subarray(0, 10_000);
      throw new Error('The connection is gone');
    }
    await expect(send('none', broken(), sha1(bytes))).rejects.toThrow('The connection is gone');
    await expect(send('gzip', broken(), sha1(bytes))).rejects.toThrow();
    expect(await has(bytes)).toBe(false);
    expect(await askFor(member, bytes)).toMatchObject({ state: 'not_found', missingChunks: [sha1(bytes)] });
  });
});

describe('what is wrong with an archive is said, and nothing of it is there', () => {
  const MANIFEST = { name: 'manifest.json', content: '{"files":{}}' };

  test.each([
    ['no archive', Buffer.from('hello'), /readable zip archive/],
    ['a part of one', makeBundle([]).subarray(0, -3), /readable zip archive/],
    ['no manifest', makeZip([{ name: 'app.js', content: 'x' }]), /manifest\.json/],
    ['a way out', makeZip([{ name: '../../escape.js', content: 'x' }, MANIFEST]), /points outside/],
    ['a link', makeZip([{ name: 'link', content: '/etc/passwd', mode: 0o120777 }, MANIFEST]), /link/],
    ['a bomb', makeZip([{ name: 'zeros', content: Buffer.alloc(20 * MIB) }, MANIFEST]), /250 times/],
    ['no release that can be', makeBundle([], { release: '..', project: 'web' }), /Invalid release version/],
  ])('%s', async (_, bytes, detail) => {
    expect(await upload(member, bytes)).toEqual(failed(detail));
    expect(await askFor(member, bytes)).toEqual(failed(detail));
    expect(await listed()).toEqual([]);
  });

  test('parts that make another file', async () => {
    const [bundle, other] = [newBundle(), newBundle()];
    await storePart(member, other);
    const { assembleBundle } = await import('#product/artifacts/assemble-bundle.ts');
    const answer = await assembleBundle(member, {
      checksum: sha1(bundle),
      chunks: [sha1(other)],
      projectSlugs: ['web'],
      version: null,
      dist: null,
    });
    expect(answer).toEqual(failed(/checksum/));
    expect(await has(bundle)).toBe(false);
  });
});

test('a request that is none is refused before anything is done', async () => {
  const bundle = newBundle();
  const refused = (code: string) => expect.objectContaining({ code });
  await expect(askFor(member, bundle, { version: 'a\nb' })).rejects.toEqual(refused('invalid'));
  await expect(askFor(member, bundle, { dist: 'x'.repeat(65) })).rejects.toEqual(refused('invalid'));
  await expect(askFor(member, bundle, { projectSlugs: ['other'] })).rejects.toEqual(refused('not_found'));
  await expect(askFor(member, randomBytes(300), { parts: 257 })).rejects.toEqual(refused('invalid'));
});
