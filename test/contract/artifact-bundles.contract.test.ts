import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import type { NewArtifactBundle } from '#product/artifacts/artifact.ts';
import { type ArtifactStore, createArtifactStore } from '#product/artifacts/store/artifact-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { DEBUG_ID, makeArtifacts, makeFile, sha1 } from './sample-artifacts.ts';
import { NOON_MS } from './sample-events.ts';

describeOnPostgres('bundles of the artifact store', (engine) => {
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
  const list = (options: Partial<Parameters<ArtifactStore['listBundles']>[2]> = {}) =>
    artifacts.listBundles(mine.organizationId, [mine.projectId], {
      kind: null,
      version: null,
      search: '',
      limit: 10,
      after: null,
      ...options,
    });

  describe('bundles', () => {
    test('are saved whole, and found by checksum and id within their organization and projects', async () => {
      const input = makeArtifacts(mine, {
        releases: [
          { version: '1.0.0', dist: 'b' },
          { version: '1.0.0', dist: null },
        ],
        files: [
          makeFile({ debugId: DEBUG_ID, sourceMap: 'app.js.map', headers: { 'debug-id': DEBUG_ID } }),
          makeFile({ kind: 'source_map', url: '~/app\0.js.map', path: null }),
        ],
      });
      const saved = await artifacts.saveBundle(mine.organizationId, input);
      expect(saved).toEqual({
        id: expect.any(Number),
        kind: 'bundle',
        checksum: input.checksum,
        bytes: 100,
        uploadedAt: NOON_MS,
        usedAt: NOON_MS,
        projectIds: [mine.projectId],
        releases: [
          { version: '1.0.0', dist: null },
          { version: '1.0.0', dist: 'b' },
        ],
        fileCount: 2,
      });
      expect(await artifacts.findBundle(mine.organizationId, input.checksum)).toEqual(saved);
      expect(await artifacts.findBundle(other.organizationId, input.checksum)).toBeNull();
      expect(await artifacts.findBundleById(mine.organizationId, [mine.projectId], saved.id)).toEqual(saved);
      expect(await artifacts.findBundleById(mine.organizationId, [other.projectId], saved.id)).toBeNull();
      expect(await artifacts.findBundleById(other.organizationId, [mine.projectId], saved.id)).toBeNull();
      const files = await artifacts.listFiles(mine.organizationId, saved.id, {
        search: '',
        limit: 10,
        afterId: null,
      });
      expect(files).toEqual([
        { ...input.files[0], id: expect.any(Number), bundleId: saved.id, checksum: input.checksum },
        expect.objectContaining({ kind: 'source_map', url: '~/app.js.map', path: null }),
      ]);
      const [first] = files;
      expect(await artifacts.findFile(mine.organizationId, saved.id, first?.id ?? 0)).toEqual(first);
      expect(await artifacts.findFile(other.organizationId, saved.id, first?.id ?? 0)).toBeNull();
    });

    test('of the same checksum are one, with the projects and releases of all uploads', async () => {
      const second = await stores.createProject(mine.organizationId, 'second');
      const checksum = sha1('same');
      const answers = await Promise.all(
        [mine.projectId, second.projectId, mine.projectId].map((projectId, index) =>
          save({
            checksum,
            projectIds: [projectId],
            uploadedAt: NOON_MS + index,
            releases: [{ version: `1.0.${index}`, dist: null }],
          }),
        ),
      );
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      const found = await artifacts.findBundle(mine.organizationId, checksum);
      expect(found).toMatchObject({
        projectIds: [mine.projectId, second.projectId],
        releases: ['1.0.0', '1.0.1', '1.0.2'].map((version) => ({ version, dist: null })),
        fileCount: 1,
        uploadedAt: NOON_MS + 2,
      });
      const elsewhere = await artifacts.saveBundle(
        other.organizationId,
        makeArtifacts(mine, { checksum, projectIds: [other.projectId] }),
      );
      expect(elsewhere.id).not.toBe(found?.id);
    });

    test('are joined only where they are', async () => {
      const saved = await save();
      const more = {
        projectIds: [mine.projectId],
        releases: [{ version: '2', dist: 'x' }],
        uploadedAt: NOON_MS + 5,
      };
      expect(await artifacts.joinBundle(mine.organizationId, saved.checksum, more)).toMatchObject({
        id: saved.id,
        uploadedAt: NOON_MS + 5,
        releases: [
          { version: '1.0.0', dist: null },
          { version: '2', dist: 'x' },
        ],
      });
      expect(await artifacts.joinBundle(other.organizationId, saved.checksum, more)).toBeNull();
      expect(await artifacts.joinBundle(mine.organizationId, sha1('none'), more)).toBeNull();
    });

    test('take no project of another organization, and none without any', async () => {
      await expect(save({ projectIds: [other.projectId] })).rejects.toMatchObject({ code: 'not_found' });
      const saved = await save({ projectIds: [mine.projectId, other.projectId] });
      expect(saved.projectIds).toEqual([mine.projectId]);
      expect((await list()).bundles).toEqual([saved]);
    });

    test('of files with the longest names are saved', async () => {
      const url = Array.from({ length: 200 }, () => sha1(randomUUID()).slice(0, 10)).join('');
      expect((await save({ files: [makeFile({ url })] })).fileCount).toBe(1);
      const release = { version: '1.0.0', dist: null };
      expect(await artifacts.findByUrl(mine.organizationId, mine.projectId, release, [url])).toMatchObject([
        { url },
      ]);
    });

    test('of thousands of files are saved in one go', async () => {
      const files = Array.from({ length: 4_500 }, (_, index) =>
        makeFile({ url: `~/${index}.js`, path: `${index}` }),
      );
      expect((await save({ files })).fileCount).toBe(4_500);
    });

    test('are listed newest first, by release, kind and words, page by page', async () => {
      const saved = [];
      for (let index = 0; index < 5; index++) {
        saved.push(
          await save({
            uploadedAt: NOON_MS + Math.min(index, 3),
            releases: index === 4 ? [] : [{ version: `web@${index}`, dist: null }],
            files: [makeFile({ url: `~/part-${index}.js`, debugId: index === 4 ? DEBUG_ID : null })],
          }),
        );
      }
      const ids = saved.map(({ id }) => id).reverse();
      const first = await list({ limit: 3 });
      const second = await list({ limit: 3, after: first.next });
      expect([...first.bundles, ...second.bundles].map(({ id }) => id)).toEqual(ids);
      expect(second.next).toBeNull();
      const idsOf = async (options: Parameters<typeof list>[0]) =>
        (await list(options)).bundles.map(({ id }) => id);
      expect(await idsOf({ version: 'web@2' })).toEqual([saved[2]?.id]);
      expect(await idsOf({ search: 'WEB@3' })).toEqual([saved[3]?.id]);
      expect(await idsOf({ search: 'PART-1.' })).toEqual([saved[1]?.id]);
      expect(await idsOf({ search: DEBUG_ID.replaceAll('-', '').toUpperCase() })).toEqual([saved[4]?.id]);
      expect(await idsOf({ search: '%' })).toEqual([]);
      expect(await idsOf({ kind: 'release_file' })).toEqual([]);
    });

    test('are deleted with their files, and say which bytes nobody needs any more', async () => {
      const [a, b] = [await save(), await save()];
      await artifacts.rememberChunk(mine.organizationId, b.checksum, 100, NOON_MS);
      expect(await artifacts.deleteBundles(other.organizationId, [a.id, b.id])).toEqual([]);
      expect(await artifacts.deleteBundles(mine.organizationId, [a.id, b.id, 999_999_999])).toEqual([
        a.checksum,
      ]);
      expect((await list()).bundles).toEqual([]);
      expect(
        await artifacts.findByUrl(mine.organizationId, mine.projectId, { version: '1.0.0', dist: null }, [
          '~/app.js',
        ]),
      ).toEqual([]);
    });

    test('lose a release, and go with their last one', async () => {
      const releases = [
        { version: '1.0.0', dist: null },
        { version: '2.0.0', dist: null },
      ];
      const both = await save({ releases });
      await save();
      const deleteOf = (projectId: number) =>
        artifacts.deleteOfRelease(mine.organizationId, {
          version: '1.0.0',
          projectIds: [projectId],
          visibleIds: [mine.projectId],
          limit: 10,
        });
      const hidden = await stores.createProject(mine.organizationId, 'hidden');
      const shared = await save({ projectIds: [mine.projectId, hidden.projectId] });
      expect(await deleteOf(other.projectId)).toBe(0);
      expect(await deleteOf(mine.projectId)).toBe(2);
      const left = (await list()).bundles.map(({ id, releases: has }) => [id, has]);
      expect(new Map(left as [number, unknown][])).toEqual(
        new Map<number, unknown>([
          [both.id, [releases[1]]],
          [shared.id, shared.releases],
        ]),
      );
    });

    test('are unused after a while without events and uploads, or at once without a project', async () => {
      const used = await save({ uploadedAt: NOON_MS - 5 * HOUR_MS });
      const unused = await save({ uploadedAt: NOON_MS - 5 * HOUR_MS });
      const renewed = await save({ uploadedAt: NOON_MS - 5 * HOUR_MS });
      const gone = await stores.createProject(mine.organizationId, 'gone');
      const orphan = await save({ projectIds: [gone.projectId] });
      await stores.database.pool.query('DELETE FROM projects WHERE id = $1', [gone.projectId]);
      await artifacts.touchBundles([used.id], NOON_MS);
      await save({ checksum: renewed.checksum });
      expect(await artifacts.forgetUnusedBundles(NOON_MS - HOUR_MS, 1)).toBe(1);
      while ((await artifacts.forgetUnusedBundles(NOON_MS - HOUR_MS, 100)) > 0);
      const left = (await list()).bundles.map(({ id }) => id).sort((a, b) => a - b);
      expect(left).toEqual([used.id, renewed.id]);
      expect(await artifacts.findBundle(mine.organizationId, unused.checksum)).toBeNull();
      expect(await artifacts.findBundle(mine.organizationId, orphan.checksum)).toBeNull();
    });

    test('are noted as used when they first are, then at most once an hour', async () => {
      const { id } = await save();
      const usedAt = async () =>
        (await artifacts.findBundleById(mine.organizationId, [mine.projectId], id))?.usedAt;
      await artifacts.touchBundles([id], NOON_MS + 1);
      expect(await usedAt()).toBe(NOON_MS + 1);
      await artifacts.touchBundles([id], NOON_MS + 1 + HOUR_MS);
      expect(await usedAt()).toBe(NOON_MS + 1);
      await artifacts.touchBundles([id], NOON_MS + 2 + HOUR_MS);
      expect(await usedAt()).toBe(NOON_MS + 2 + HOUR_MS);
      await artifacts.touchBundles([], NOON_MS);
    });
  });

  describe('files of releases', () => {
    const saveFile = (change: Partial<NewArtifactBundle> = {}) =>
      save({ kind: 'release_file', files: [makeFile({ path: null })], ...change });

    test('take the place of the one with the same name, release and dist', async () => {
      const old = await saveFile();
      const others = [
        await saveFile({ releases: [{ version: '1.0.0', dist: 'b' }] }),
        await saveFile({ releases: [{ version: '2.0.0', dist: null }] }),
        await saveFile({ files: [makeFile({ path: null, url: '~/other.js' })] }),
        // The same bytes under another name.
        await saveFile({ checksum: old.checksum, files: [makeFile({ path: null, url: '~/copy.js' })] }),
      ];
      const saved = await Promise.all([saveFile(), saveFile(), saveFile()]);
      const left = (await list({ kind: 'release_file' })).bundles.map(({ id }) => id);
      expect(left).toHaveLength(5);
      expect(left).toEqual(expect.arrayContaining(others.map(({ id }) => id)));
      expect(left).not.toContain(old.id);
      expect(saved.map(({ id }) => id).filter((id) => left.includes(id))).toHaveLength(1);
    });

    test('leave the file of another project where it is', async () => {
      const second = await stores.createProject(mine.organizationId, 'second');
      const both = await saveFile({ projectIds: [mine.projectId, second.projectId] });
      const saved = await saveFile();
      expect(await artifacts.findBundleById(mine.organizationId, [mine.projectId], both.id)).toBeNull();
      expect(await artifacts.findBundleById(mine.organizationId, [second.projectId], both.id)).toMatchObject({
        projectIds: [second.projectId],
      });
      expect(saved.projectIds).toEqual([mine.projectId]);
    });

    test('are read by upload, and renamed', async () => {
      const saved = await saveFile();
      const archive = await save();
      const files = await artifacts.findReleaseFiles(mine.organizationId, [saved.id, archive.id]);
      expect(files).toMatchObject([{ bundleId: saved.id, url: '~/app.js', path: null }]);
      const change = { url: '~/new.js', dist: 'b' };
      expect(await artifacts.updateReleaseFile(mine.organizationId, saved.id, change)).toBe(true);
      expect(await artifacts.updateReleaseFile(other.organizationId, saved.id, change)).toBe(false);
      expect(await artifacts.updateReleaseFile(mine.organizationId, archive.id, change)).toBe(false);
      expect(await artifacts.findReleaseFiles(mine.organizationId, [saved.id])).toMatchObject([
        { url: '~/new.js' },
      ]);
      expect((await list({ kind: 'release_file' })).bundles).toMatchObject([
        { releases: [{ version: '1.0.0', dist: 'b' }] },
      ]);
    });
  });
});
