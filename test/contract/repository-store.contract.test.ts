import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CodeMappingDraft, createCodeMappingStore } from '#product/code-mappings/code-mapping-store.ts';
import { createCommitStore } from '#product/commits/store/commit-store.ts';
import { createReleaseStore } from '#product/releases/store/release-store.ts';
import { createRepositoryStore, type RepositoryDraft } from '#product/repositories/repository-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';
import { NOON_MS } from './sample-events.ts';

const DRAFT: RepositoryDraft = { name: 'acme/web', provider: 'github', url: null, linkTemplate: null };

describeOnPostgres('RepositoryStore and CodeMappingStore', (engine) => {
  let stores: PostgresStores;
  let repositories: ReturnType<typeof createRepositoryStore>;
  let mappings: ReturnType<typeof createCodeMappingStore>;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    repositories = createRepositoryStore(stores.database.db);
    mappings = createCodeMappingStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  test('repositories are named once in an organization, and made when a commit names them', async () => {
    const { organizationId } = await stores.createTenant();
    const created = await repositories.create(organizationId, DRAFT, NOON_MS);
    await expect(repositories.create(organizationId, DRAFT, NOON_MS)).rejects.toMatchObject({
      code: 'conflict',
    });
    const ids = await repositories.ensure(organizationId, ['acme/web', 'acme/api', 'acme/api'], NOON_MS);
    expect(ids.get('acme/web')).toBe(created.id);
    expect(await repositories.findByIds(organizationId, [...ids.values()])).toEqual([
      created,
      {
        id: ids.get('acme/api'),
        organizationId,
        name: 'acme/api',
        provider: 'unknown',
        url: null,
        linkTemplate: null,
        createdAt: NOON_MS,
      },
    ]);
    expect(await repositories.count(organizationId)).toBe(2);
    const changed = await repositories.update(organizationId, created.id, {
      ...DRAFT,
      name: 'acme/shop',
      url: 'https://git.example.com/shop',
    });
    expect(changed).toMatchObject({ id: created.id, name: 'acme/shop', url: 'https://git.example.com/shop' });
    await expect(
      repositories.update(organizationId, created.id, { ...DRAFT, name: 'acme/api' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await repositories.findByName(organizationId, 'acme/shop')).toEqual(changed);
    expect((await repositories.delete(organizationId, created.id))?.name).toBe('acme/shop');
    expect(await repositories.delete(organizationId, created.id)).toBeNull();
  });

  test('lists by name, page by page, by a part of it', async () => {
    const { organizationId } = await stores.createTenant();
    await repositories.ensure(organizationId, ['b', 'a', 'Acme/x', 'acme/y'], NOON_MS);
    const names = async (search: string, limit: number, after: { name: string; id: number } | null) =>
      (await repositories.list(organizationId, { search, seenIn: null, limit, after })).map(
        ({ name }) => name,
      );
    expect(await names('', 10, null)).toEqual(['Acme/x', 'a', 'acme/y', 'b']);
    expect(await names('ACME', 10, null)).toEqual(['Acme/x', 'acme/y']);
    expect(await names('x\0y', 10, { name: '\0', id: 0 })).toEqual([]);
    const [, second] = await repositories.list(organizationId, {
      search: '',
      seenIn: null,
      limit: 2,
      after: null,
    });
    expect(await names('', 10, second!)).toEqual(['acme/y', 'b']);
  });

  test('projects see what they use, and what nothing uses', async () => {
    const { organizationId, projectId } = await stores.createTenant();
    const other = (await stores.createProject(organizationId, 'other')).projectId;
    const create = (name: string) => repositories.create(organizationId, { ...DRAFT, name }, NOON_MS);
    const [mapped, released, free] = [
      await create('mapped'),
      await create('released'),
      await create('unused'),
    ];
    const root = { stackRoot: 'src/', sourceRoot: '', defaultBranch: 'main' };
    await mappings.save(organizationId, { ...root, projectId, repositoryId: mapped.id }, NOON_MS);
    const save = { version: 'web@1', projectIds: [projectId], change: {} };
    const { releaseId } = await createReleaseStore(stores.database.db).save(organizationId, save, NOON_MS);
    const head = { repositoryId: released.id, commitKey: 'a', previousKey: null };
    await createCommitStore(stores.database.db).setReleaseHeads(organizationId, releaseId, [head]);
    const seen = async (seenIn: readonly number[] | null) => {
      const page = { search: '', seenIn, limit: 10, after: null };
      const listed = (await repositories.list(organizationId, page)).map(({ name }) => name);
      const found = await Promise.all(
        [mapped, released, free].map(({ id }) => repositories.find(organizationId, id, seenIn)),
      );
      expect(found.flatMap((each) => each?.name ?? []).toSorted()).toEqual(listed);
      return listed;
    };
    expect(await seen(null)).toEqual(['mapped', 'released', 'unused']);
    expect(await seen([projectId, other])).toEqual(['mapped', 'released', 'unused']);
    expect(await seen([other])).toEqual(['unused']);
    expect(await seen([])).toEqual(['unused']);
  });

  test('a code mapping of a root is one, and goes with its repository', async () => {
    const tenant = await stores.createTenant();
    const { organizationId, projectId } = tenant;
    const repository = await repositories.create(organizationId, DRAFT, NOON_MS);
    const draft: CodeMappingDraft = {
      projectId,
      repositoryId: repository.id,
      stackRoot: 'src/',
      sourceRoot: 'web/src/',
      defaultBranch: 'main',
    };
    const first = await mappings.save(organizationId, draft, NOON_MS);
    const again = await mappings.save(organizationId, { ...draft, sourceRoot: 'shop/' }, NOON_MS);
    expect([first?.isNew, again?.isNew]).toEqual([true, false]);
    expect(again?.mapping).toEqual({
      ...draft,
      id: first!.mapping.id,
      sourceRoot: 'shop/',
      createdAt: NOON_MS,
    });
    const other = await mappings.save(organizationId, { ...draft, stackRoot: '' }, NOON_MS);
    await expect(mappings.update(organizationId, other!.mapping.id, draft)).rejects.toMatchObject({
      code: 'conflict',
    });
    const updated = await mappings.update(organizationId, other!.mapping.id, { ...draft, stackRoot: 'lib/' });
    expect(updated?.stackRoot).toBe('lib/');
    expect((await mappings.list(organizationId, [projectId])).map(({ stackRoot }) => stackRoot)).toEqual([
      'lib/',
      'src/',
    ]);
    expect(await mappings.delete(organizationId, other!.mapping.id)).toBe(true);
    expect(await mappings.delete(organizationId, other!.mapping.id)).toBe(false);
    await repositories.delete(organizationId, repository.id);
    expect(await mappings.list(organizationId, [projectId])).toEqual([]);
  });

  test('another organization sees and changes nothing', async () => {
    const [own, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const repository = await repositories.create(own.organizationId, DRAFT, NOON_MS);
    const draft: CodeMappingDraft = {
      projectId: own.projectId,
      repositoryId: repository.id,
      stackRoot: '',
      sourceRoot: '',
      defaultBranch: 'main',
    };
    const saved = await mappings.save(own.organizationId, draft, NOON_MS);
    expect(
      await mappings.save(theirs.organizationId, { ...draft, projectId: theirs.projectId }, NOON_MS),
    ).toBeNull();
    expect(await mappings.save(theirs.organizationId, draft, NOON_MS)).toBeNull();
    expect(await mappings.find(theirs.organizationId, saved!.mapping.id)).toBeNull();
    expect(await mappings.update(theirs.organizationId, saved!.mapping.id, draft)).toBeNull();
    expect(await mappings.delete(theirs.organizationId, saved!.mapping.id)).toBe(false);
    expect(await repositories.findByIds(theirs.organizationId, [repository.id])).toEqual([]);
    expect(await repositories.findByName(theirs.organizationId, DRAFT.name)).toBeNull();
    expect(await repositories.update(theirs.organizationId, repository.id, DRAFT)).toBeNull();
    expect(await repositories.delete(theirs.organizationId, repository.id)).toBeNull();
  });
});
