import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import type { NewArtifactBundle } from '#product/artifacts/artifact.ts';
import { type ArtifactStore, createArtifactStore } from '#product/artifacts/store/artifact-store.ts';
import { ARTIFACTS_CHANNEL } from '#storage/sql/notices.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { DEBUG_ID, makeArtifacts, makeFile, sha1 } from './sample-artifacts.ts';
import { NOON_MS } from './sample-events.ts';

describeOnPostgres('artifact store', (engine) => {
  let stores: PostgresStores;
  let artifacts: ArtifactStore;
  let mine: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    artifacts = createArtifactStore(stores.database.db);
  });
  afterAll(() => stores?.database.drop());
  beforeEach(async () => {
    mine = await stores.createTenant();
    other = await stores.createTenant();
  });

  const save = (change: Partial<NewArtifactBundle> = {}) =>
    artifacts.saveBundle(mine.organizationId, makeArtifacts(mine, change));

  describe('parts of uploads', () => {
    test('are known to their organization until they are too old', async () => {
      const [a = '', b = ''] = [sha1('a'), sha1('b')];
      await artifacts.rememberChunk(mine.organizationId, a, 5, NOON_MS);
      expect(await artifacts.findChunks(mine.organizationId, [a, b], NOON_MS - 1)).toEqual(new Set([a]));
      expect(await artifacts.findChunks(mine.organizationId, [a], NOON_MS)).toEqual(new Set());
      expect(await artifacts.findChunks(other.organizationId, [a], NOON_MS - 1)).toEqual(new Set());
      await artifacts.rememberChunk(mine.organizationId, a, 5, NOON_MS + HOUR_MS);
      await artifacts.rememberChunk(mine.organizationId, a, 5, NOON_MS);
      expect(await artifacts.findChunks(mine.organizationId, [a], NOON_MS)).toEqual(new Set([a]));
    });

    test('are forgotten when they are old, a few at a time', async () => {
      for (const name of ['a', 'b', 'c']) {
        await artifacts.rememberChunk(mine.organizationId, sha1(name), 1, NOON_MS - 1_000 * HOUR_MS);
      }
      await artifacts.rememberChunk(mine.organizationId, sha1('new'), 1, NOON_MS);
      const before = NOON_MS - 999 * HOUR_MS;
      expect(await artifacts.forgetChunks(before, 2)).toBe(2);
      expect(await artifacts.forgetChunks(before, 2)).toBe(1);
      expect(await artifacts.forgetChunks(before, 2)).toBe(0);
      expect(await artifacts.findChunks(mine.organizationId, [sha1('new')], 0)).toEqual(
        new Set([sha1('new')]),
      );
    });
  });

  describe('what leads from an event to a file', () => {
    test('is a debug id: the newest file of each kind that the project may see', async () => {
      const files = (url: string) => [
        makeFile({ url, debugId: DEBUG_ID }),
        makeFile({ url: `${url}.map`, kind: 'source_map', debugId: DEBUG_ID }),
      ];
      await save({ files: files('~/old.js'), uploadedAt: NOON_MS - 1 });
      const newest = await save({ files: files('~/new.js') });
      await artifacts.saveBundle(
        other.organizationId,
        makeArtifacts(mine, {
          projectIds: [other.projectId],
          files: files('~/theirs.js'),
          uploadedAt: NOON_MS + 1,
        }),
      );
      const found = await artifacts.findByDebugId(mine.organizationId, mine.projectId, DEBUG_ID);
      expect(found.map(({ kind, url }) => [kind, url])).toEqual([
        ['minified_source', '~/new.js'],
        ['source_map', '~/new.js.map'],
      ]);
      expect(found[0]).toMatchObject({ bundleId: newest.id, checksum: newest.checksum });
      const second = await stores.createProject(mine.organizationId, 'second');
      expect(await artifacts.findByDebugId(mine.organizationId, second.projectId, DEBUG_ID)).toEqual([]);
      expect(await artifacts.findByDebugId(mine.organizationId, other.projectId, DEBUG_ID)).toEqual([]);
      expect(await artifacts.findByDebugId(mine.organizationId, mine.projectId, 'none')).toEqual([]);
    });

    test('is an address within a release and a dist, the newest upload first', async () => {
      const release = { version: '1.0.0', dist: null };
      await save({ files: [makeFile(), makeFile({ url: '~/b.js' })], uploadedAt: NOON_MS - 1 });
      const newest = await save();
      await save({ releases: [{ version: '1.0.0', dist: 'b' }] });
      const urls = ['https://example.com/app.js', '~/app.js', '~/b.js\0'];
      const found = await artifacts.findByUrl(mine.organizationId, mine.projectId, release, urls);
      expect(found.map(({ url }) => url)).toEqual(['~/app.js', '~/b.js', '~/app.js']);
      expect(found[0]?.bundleId).toBe(newest.id);
      const find = (organizationId: number, projectId: number, version: string) =>
        artifacts.findByUrl(organizationId, projectId, { version, dist: null }, urls);
      expect(await find(mine.organizationId, mine.projectId, '1.0.1')).toEqual([]);
      expect(await find(mine.organizationId, other.projectId, '1.0.0')).toEqual([]);
      expect(await find(other.organizationId, mine.projectId, '1.0.0')).toEqual([]);
    });

    test('is a name within a bundle: exactly that, however many are like it', async () => {
      const names = ['~/src/a.ts', '~/src/b.ts', '~/src/c.ts\0'];
      const alike = Array.from({ length: 60 }, (_, index) => makeFile({ url: `~/src/a.ts.${index}` }));
      const bundle = await save({
        files: [...alike, ...['a', 'b', 'b', 'c'].map((name) => makeFile({ url: `~/src/${name}.ts` }))],
      });
      const second = await save({ files: [makeFile({ url: '~/src/a.ts' })] });
      const find = async (organizationId: number, bundleId: number) => {
        const files = await artifacts.findInBundle(organizationId, bundleId, names);
        return files.map(({ url }) => url).toSorted();
      };
      expect(await find(mine.organizationId, bundle.id)).toEqual(['~/src/a.ts', '~/src/b.ts', '~/src/c.ts']);
      expect(await find(mine.organizationId, second.id)).toEqual(['~/src/a.ts']);
      expect(await find(other.organizationId, bundle.id)).toEqual([]);
      expect(await artifacts.findInBundle(mine.organizationId, bundle.id, [])).toEqual([]);
    });

    test('else is told: what a release has under each dist, and names that are like it', async () => {
      await save({
        files: [
          makeFile({ url: '~/assets/app.js' }),
          makeFile({ url: '~/myapp.js' }),
          makeFile({ url: 'app.js' }),
          makeFile({ url: '~/assets/app.js.map', kind: 'source_map' }),
        ],
      });
      await save({ releases: [{ version: '1.0.0', dist: 'b' }] });
      expect(await artifacts.countFilesByDist(mine.organizationId, mine.projectId, '1.0.0')).toEqual([
        { dist: null, files: 4 },
        { dist: 'b', files: 1 },
      ]);
      expect(await artifacts.countFilesByDist(mine.organizationId, mine.projectId, '2')).toEqual([]);
      const release = { version: '1.0.0', dist: null };
      const similar = (name: string) =>
        artifacts.findSimilarUrls(mine.organizationId, mine.projectId, release, name);
      expect(await similar('app.js')).toEqual(['app.js', '~/assets/app.js']);
      expect(await similar('a%.js')).toEqual([]);
    });
  });

  describe('mappings', () => {
    const mapping = (change: Partial<Parameters<ArtifactStore['saveDeobfuscationFile']>[1]> = {}) => ({
      projectId: mine.projectId,
      kind: 'proguard' as const,
      debugId: DEBUG_ID,
      arch: null,
      checksum: sha1(randomUUID()),
      name: 'proguard/mapping.txt',
      bytes: 50,
      uploadedAt: NOON_MS,
      ...change,
    });
    const saveMapping = (change: Parameters<typeof mapping>[0] = {}) =>
      artifacts.saveDeobfuscationFile(mine.organizationId, mapping(change));

    test('are saved once, and found by debug id, checksum and id within their project', async () => {
      const [organizationId, projectId] = [mine.organizationId, mine.projectId];
      const old = await saveMapping({ uploadedAt: NOON_MS - 5 });
      const saved = await saveMapping();
      expect((await saveMapping({ checksum: saved.checksum, uploadedAt: NOON_MS + 5 })).id).toBe(saved.id);
      expect(
        await artifacts.findDeobfuscationFile(organizationId, projectId, DEBUG_ID, 'proguard'),
      ).toMatchObject({
        id: saved.id,
        uploadedAt: NOON_MS + 5,
      });
      expect(
        await artifacts.findDeobfuscationFileByChecksum(organizationId, projectId, old.checksum),
      ).toEqual(old);
      expect(await artifacts.findDeobfuscationFileById(organizationId, projectId, old.id)).toEqual(old);
      expect(
        await artifacts.findDeobfuscationFile(organizationId, other.projectId, DEBUG_ID, 'proguard'),
      ).toBeNull();
      expect(
        await artifacts.findDeobfuscationFile(other.organizationId, projectId, DEBUG_ID, 'proguard'),
      ).toBeNull();
      expect(await artifacts.findDeobfuscationFileById(other.organizationId, projectId, old.id)).toBeNull();
      await expect(saveMapping({ projectId: other.projectId })).rejects.toMatchObject({ code: 'not_found' });
    });

    test('of native code have a processor, and an age in their id', async () => {
      const [organizationId, projectId] = [mine.organizationId, mine.projectId];
      const id = randomUUID();
      expect(await artifacts.hasDebugFiles(organizationId, projectId)).toBe(false);
      const native = { kind: 'breakpad', arch: 'x86_64', name: 'shop.sym' } as const;
      const saved = await saveMapping({ ...native, debugId: `${id}-1a` });
      expect(saved).toMatchObject({ ...native, debugId: `${id}-1a` });
      const find = (debugId: string, kind: 'proguard' | 'breakpad' = 'breakpad') =>
        artifacts.findDeobfuscationFile(organizationId, projectId, debugId, kind);
      expect(await find(`${id}-1a`)).toEqual(saved);
      for (const other of [id, `${id}-1`, `${id}-1a-`]) expect(await find(other)).toBeNull();
      expect(await find(`${id}-1a`, 'proguard')).toBeNull();
      expect(await artifacts.hasDebugFiles(organizationId, projectId)).toBe(true);
      expect(await artifacts.hasDebugFiles(other.organizationId, projectId)).toBe(false);
      const of = (kind: 'proguard' | 'breakpad') =>
        artifacts.listDeobfuscationFiles(organizationId, projectId, {
          kind,
          search: id,
          limit: 10,
          afterId: null,
        });
      expect(await of('breakpad')).toEqual([saved]);
      expect(await of('proguard')).toEqual([]);
    });

    test('are listed, searched, deleted and expire', async () => {
      const [organizationId, projectId] = [mine.organizationId, mine.projectId];
      const a = await saveMapping({ name: 'Release.txt', uploadedAt: NOON_MS - 5 * HOUR_MS });
      const b = await saveMapping({ debugId: randomUUID(), uploadedAt: NOON_MS - 5 * HOUR_MS });
      const find = (search: string, afterId: number | null = null) =>
        artifacts.listDeobfuscationFiles(organizationId, projectId, {
          kind: null,
          search,
          limit: 10,
          afterId,
        });
      expect(await find('')).toEqual([a, b]);
      expect(await find('', a.id)).toEqual([b]);
      expect(await find('release')).toEqual([a]);
      expect(await find(DEBUG_ID.slice(0, 12).toUpperCase())).toEqual([a]);
      await artifacts.touchDeobfuscationFiles([a.id], NOON_MS);
      await artifacts.forgetUnusedDeobfuscationFiles(NOON_MS - HOUR_MS, 1_000);
      expect(await find('')).toEqual([a]);
      expect(await artifacts.deleteDeobfuscationFile(other.organizationId, projectId, a.id)).toEqual([]);
      expect(await artifacts.deleteDeobfuscationFile(organizationId, projectId, a.id)).toEqual([a.checksum]);
      expect(await find('')).toEqual([]);
    });
  });

  test('bytes are counted once, and needed while any row names them', async () => {
    const { organizationId, projectId } = mine;
    const checksum = sha1('bytes');
    await artifacts.rememberChunk(organizationId, checksum, 100, NOON_MS);
    const saved = await save({ checksum });
    await artifacts.saveDeobfuscationFile(organizationId, {
      projectId,
      kind: 'proguard',
      debugId: DEBUG_ID,
      arch: null,
      checksum: sha1('mapping'),
      name: 'x',
      bytes: 7,
      uploadedAt: NOON_MS,
    });
    expect(await artifacts.sumBytes(organizationId)).toBe(107);
    expect(await artifacts.sumBytes(other.organizationId)).toBe(0);
    const asked = [checksum, sha1('mapping'), sha1('nobody')];
    expect(await artifacts.findUnneeded(organizationId, asked)).toEqual([sha1('nobody')]);
    expect(await artifacts.findUnneeded(other.organizationId, asked)).toHaveLength(3);
    await artifacts.deleteBundles(organizationId, [saved.id]);
    expect(await artifacts.findUnneeded(organizationId, asked)).toEqual([sha1('nobody')]);
    expect(await artifacts.findUnneeded(organizationId, [])).toEqual([]);
  });

  test('digest hears of every change, once it is committed', async () => {
    const client = new pg.Client({ connectionString: stores.database.url });
    await client.connect();
    const heard: string[] = [];
    client.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await client.query(`LISTEN ${ARTIFACTS_CHANNEL}`);
    const saved = await save();
    await artifacts.deleteBundles(mine.organizationId, [saved.id]);
    await expect(save({ projectIds: [other.projectId] })).rejects.toThrow();
    await expect.poll(() => heard).toHaveLength(2);
    await client.query('SELECT 1');
    expect(heard).toEqual([1, 2].map(() => JSON.stringify({ organizationId: mine.organizationId })));
    await client.end();
  });
});
