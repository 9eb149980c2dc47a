import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { deleteBundle, listBundles } from '#product/artifacts/bundles.ts';
import { expireUploads } from '#product/artifacts/expire-uploads.ts';
import { saveReleaseFile } from '#product/artifacts/save-release-file.ts';
import { describeChunkUpload, storeChunk } from '#product/artifacts/store-chunk.ts';
import { sumUploads } from '#product/artifacts/upload-headroom.ts';
import type { Context } from '#product/context.ts';
import type { DiskUsage } from '#storage/ports/stored-days.ts';
import { makeBundle } from '../harness/make-zip.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { askFor, piecesOf, sha1, storePart, upload } from './upload-scene.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let mine: Organization;
let admin: Joined;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  // Files have the time of the machine.
  product.clock.nowMs = Date.now();
  mine = await product.createOrganization();
  await product.createProject(mine, 'web');
  await product.createProject(mine, 'api');
  admin = await product.join(mine, 'admin');
});
afterAll(async () => {
  await product?.close();
});

const newBundle = () =>
  makeBundle([{ url: '~/app.js', type: 'minified_source', content: randomBytes(2_000) }]);
const list = async (ctx: Context, version: string | null = null) =>
  (await listBundles(ctx, { projectSlugs: [], version, search: '', cursor: null, limit: 10 })).bundles;
const idOf = async (ctx: Context) => (await list(ctx))[0]?.id ?? 0;
const has = (bytes: Buffer) => product.stores.artifactFiles.has(mine.id, sha1(bytes));

describe('what nobody needs goes', () => {
  const expireAt = (ms: number) => expireUploads(product.stores, ms);

  test('parts after a day, their bytes with them, but none of an upload', async () => {
    const [bundle, waiting] = [newBundle(), randomBytes(3_000)];
    await upload(admin, bundle, { parts: 2 });
    await storePart(admin, waiting);
    await expireAt(Date.now() + 20 * HOUR_MS);
    expect([await has(bundle), await has(waiting)]).toEqual([true, true]);
    const expired = await expireAt(Date.now() + 26 * HOUR_MS);
    expect(expired.chunks).toBeGreaterThanOrEqual(3);
    expect(expired.files).toBeGreaterThanOrEqual(3);
    expect([await has(bundle), await has(waiting)]).toEqual([true, false]);
    expect((await askFor(admin, bundle, { parts: 2 })).state).toBe('ok');
    expect((await askFor(admin, waiting)).state).toBe('not_found');
  });

  test('an upload of one part keeps its bytes when the part is forgotten', async () => {
    const bundle = newBundle();
    await upload(admin, bundle);
    await expireAt(Date.now() + 26 * HOUR_MS);
    expect(await has(bundle)).toBe(true);
  });

  test('uploads that served no event for 90 days, and those without a project', async () => {
    const [unused, used, orphan] = [newBundle(), newBundle(), newBundle()];
    await upload(admin, unused);
    await upload(admin, used);
    await upload(admin, orphan, { projectSlugs: ['api'] });
    const usedRow = await product.stores.artifacts.findBundle(mine.id, sha1(used));
    await product.stores.artifacts.touchBundles([usedRow?.id ?? 0], Date.now() + 50 * DAY_MS);
    await product.pool.query("DELETE FROM projects WHERE organization_id = $1 AND slug = 'api'", [mine.id]);
    await expireAt(Date.now() + 91 * DAY_MS);
    expect(await list(admin)).toMatchObject([{ checksum: sha1(used) }]);
    expect([await has(unused), await has(used), await has(orphan)]).toEqual([false, true, false]);
  });

  test('bytes that never got their row, and those of a deleted upload, once no request can be about to need them', async () => {
    const [lost, bundle] = [Buffer.from('lost'), newBundle()];
    const writer = await product.stores.artifactFiles.create(mine.id, { expected: sha1(lost), bytesMax: 10 });
    writer.write(lost);
    await writer.finish();
    await upload(admin, bundle);
    await deleteBundle(admin, { bundleId: await idOf(admin) });
    await expireAt(Date.now());
    expect([await has(lost), await has(bundle)]).toEqual([true, true]);
    await expireAt(Date.now() + 26 * HOUR_MS);
    expect([await has(lost), await has(bundle)]).toEqual([false, false]);
    await product.pool.query('DELETE FROM organizations WHERE id = $1', [mine.id]);
    expect(await expireAt(Date.now() + 26 * HOUR_MS)).toMatchObject({ files: 0 });
  });

  test('what a crash left half written, an hour later, in a process that goes on', async () => {
    const writer = await product.stores.artifactFiles.create(mine.id, { expected: null, bytesMax: 10 });
    writer.write(Buffer.from('half'));
    expect(await expireAt(Date.now())).toMatchObject({ abandoned: 0 });
    expect(await expireAt(Date.now() + 2 * HOUR_MS)).toMatchObject({ abandoned: 1 });
  });
});

describe('room', () => {
  const withDisk = (usage: Partial<DiskUsage>, artifacts = 0): Context => ({
    ...admin,
    stores: {
      ...admin.stores,
      disk: {
        measure: async () => ({
          usedBytes: 0,
          budgetBytes: 1_000_000_000,
          volumeBytes: 1e12,
          freeBytes: 1e12,
          ...usage,
          parts: { clickhouse: 0, postgres: 0, spool: 0, blobs: 0, artifacts, other: 0 },
        }),
      },
    },
  });

  test('is refused when the budget is spent, or the half of it that uploads may have', async () => {
    for (const ctx of [
      withDisk({ usedBytes: 999_999_999 }),
      withDisk({ usedBytes: 499_999_999 }, 499_999_999),
    ]) {
      const spent = { code: 'conflict', message: expect.stringContaining('ERRATA_DISK_BYTES_MAX') };
      await expect(storePart(ctx, 'x')).rejects.toMatchObject(spent);
      const input = { version: '1', projectSlugs: ['web'], body: piecesOf('x') };
      const describe = async () => ({ name: 'x', dist: null, headers: {} });
      await expect(saveReleaseFile(ctx, { ...input, describe })).rejects.toMatchObject(spent);
      expect(await product.stores.artifactFiles.has(mine.id, sha1('x'))).toBe(false);
    }
    await expect(describeChunkUpload(withDisk({ usedBytes: 1_000_000_001 }))).rejects.toMatchObject({
      code: 'conflict',
    });
    // What is there already needs no room.
    const bundle = newBundle();
    await upload(admin, bundle);
    // Events are dropped from 95 % on: no upload brings that about.
    await expect(storePart(withDisk({ usedBytes: 945_000_000 }), 'x')).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await storePart(withDisk({ usedBytes: 940_000_000 }), 'x')).bytes).toBe(1);
    expect((await askFor(withDisk({ usedBytes: 2_000_000_000 }), bundle, { version: '2' })).state).toBe('ok');
  });

  test('is taken by what was accepted since it was measured, and by nothing else', async () => {
    // Half of it has room for one part of the largest size, and three quarters of one more.
    const ctx = withDisk({ budgetBytes: 28 * 1024 * 1024 });
    const send = (bytes: Buffer | string) =>
      storePart(ctx, bytes).then(
        () => 'kept',
        () => 'refused',
      );
    for (let index = 0; index < 8; index++) expect(await send(`part ${index}`)).toBe('kept');
    await expect(
      storeChunk(ctx, { checksum: sha1('a'), encoding: 'none', body: piecesOf('b') }),
    ).rejects.toThrow();
    expect(await send(randomBytes(8 * 1024 * 1024))).toBe('kept');
    expect(await send('one more')).toBe('refused');
  });

  test('is counted for the organization', async () => {
    const bundle = newBundle();
    expect(await sumUploads(admin)).toBe(0);
    await upload(admin, bundle);
    expect(await sumUploads(admin)).toBe(bundle.length);
  });
});

test('clients are told where to send parts, and how large they may be', async () => {
  expect(await describeChunkUpload(admin)).toEqual({
    url: `${PUBLIC_URL}/api/0/organizations/${mine.slug}/chunk-upload/`,
    chunkSize: 8_388_608,
    chunksPerRequest: 64,
    maxRequestSize: 33_554_432,
    maxFileSize: 2_147_483_648,
    maxWait: 300,
    concurrency: 4,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: expect.arrayContaining(['artifact_bundles_v2', 'release_files', 'proguard']),
  });
});
