import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { FixedIssue, NewCommit } from '#product/commits/commit.ts';
import { createCommitStore } from '#product/commits/store/commit-store.ts';
import { createReleaseStore } from '#product/releases/store/release-store.ts';
import { createRepositoryStore } from '#product/repositories/repository-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

describeOnPostgres('CommitStore', (engine) => {
  let stores: PostgresStores;
  let commits: ReturnType<typeof createCommitStore>;
  let releases: ReturnType<typeof createReleaseStore>;
  let repositories: ReturnType<typeof createRepositoryStore>;
  let tenant: Tenant;
  let repositoryId: number;
  let nowMs: number;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    commits = createCommitStore(stores.database.db);
    releases = createReleaseStore(stores.database.db);
    repositories = createRepositoryStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });
  beforeEach(async () => {
    nowMs = NOON_MS;
    tenant = await stores.createTenant();
    repositoryId = (await repositories.ensure(tenant.organizationId, ['acme/web'], nowMs)).get('acme/web')!;
  });

  /** A minute after what was before. */
  const later = (): number => {
    nowMs += MINUTE_MS;
    return nowMs;
  };
  const release = async (version: string, projectIds = [tenant.projectId]) => {
    nowMs += MINUTE_MS;
    const saved = await releases.save(tenant.organizationId, { version, projectIds, change: {} }, nowMs);
    return saved.releaseId;
  };
  const commit = (key: string, part: Partial<NewCommit> = {}): NewCommit => ({
    repositoryId,
    key,
    message: `Message of ${key}`,
    author: { name: 'Ada', email: 'ada@example.com' },
    committedAt: NOON_MS,
    files: [],
    ...part,
  });
  const keysOf = async (releaseId: number) =>
    (await commits.listOfRelease(tenant.organizationId, releaseId, { limit: 10, offset: 0 })).map(
      ({ key }) => key,
    );

  test('a release holds its commits in order, once each, in place of those that it had', async () => {
    const id = await release('web@1');
    const { organizationId } = tenant;
    await commits.setReleaseCommits(organizationId, id, [
      commit('b', { files: [{ path: 'src/a.ts', change: 'M' }] }),
      commit('a'),
      commit('b', { message: 'later' }),
    ]);
    expect(await keysOf(id)).toEqual(['b', 'a']);
    expect(await commits.listHeads(organizationId, id)).toEqual([
      { repositoryId, commitKey: 'b', previousKey: null },
    ]);
    await commits.setReleaseCommits(organizationId, id, [commit('c'), commit('b', { message: '' })]);
    expect(await keysOf(id)).toEqual(['c', 'b']);
    expect(await commits.listHeads(organizationId, id)).toMatchObject([{ commitKey: 'c' }]);
    const [, known] = await commits.listOfRelease(organizationId, id, { limit: 10, offset: 0 });
    expect(known).toMatchObject({ key: 'b', message: 'later', fileCount: 0 });
    expect(await commits.listOfRelease(organizationId, id, { limit: 10, offset: 1 })).toHaveLength(1);
    await commits.clearRelease(organizationId, id);
    expect([await keysOf(id), await commits.listHeads(organizationId, id)]).toEqual([[], []]);
    expect(
      await commits.list(organizationId, repositoryId, { seenIn: null, limit: 10, offset: 0 }),
    ).toHaveLength(3);
  });

  test('the commits of a repository that projects see are those of their releases', async () => {
    const { organizationId, projectId } = tenant;
    const other = await stores.createProject(organizationId, 'other');
    const own = await release('web@1');
    await commits.setReleaseCommits(organizationId, own, [commit('a'), commit('b')]);
    await commits.setReleaseCommits(organizationId, await release('other@1', [other.projectId]), [
      commit('c'),
    ]);
    const seen = async (seenIn: readonly number[] | null) =>
      (await commits.list(organizationId, repositoryId, { seenIn, limit: 10, offset: 0 })).map(
        ({ key }) => key,
      );
    expect((await seen(null)).toSorted()).toEqual(['a', 'b', 'c']);
    expect((await seen([projectId])).toSorted()).toEqual(['a', 'b']);
    expect(await seen([other.projectId])).toEqual(['c']);
    // Without a release nobody can say whose they are.
    await commits.clearRelease(organizationId, own);
    expect(await seen([projectId])).toEqual([]);
  });

  test('heads stand for releases whose commits nobody told', async () => {
    const id = await release('web@1');
    await commits.setReleaseHeads(tenant.organizationId, id, [
      { repositoryId, commitKey: 'f00', previousKey: 'e00' },
    ]);
    await commits.setReleaseHeads(tenant.organizationId, id, [
      { repositoryId, commitKey: 'f01', previousKey: null },
    ]);
    expect(await commits.listHeads(tenant.organizationId, id)).toEqual([
      { repositoryId, commitKey: 'f01', previousKey: null },
    ]);
  });

  test('files are those of all commits, and found by the last part of their path', async () => {
    const id = await release('web@1');
    const { organizationId } = tenant;
    await commits.setReleaseCommits(organizationId, id, [
      commit('c', { files: [{ path: 'src/cart.ts', change: 'D' }] }),
      commit('b', {
        files: [
          { path: 'src/cart.ts', change: 'M' },
          { path: 'cart.ts', change: 'A' },
        ],
      }),
      commit('a', { files: [{ path: 'src/xcart.ts', change: 'A' }] }),
    ]);
    const files = await commits.listFilesOfRelease(organizationId, id, { limit: 10, offset: 0 });
    expect(files.map((file) => [file.path, file.change, file.commit.key])).toEqual([
      ['cart.ts', 'A', 'b'],
      ['src/cart.ts', 'D', 'c'],
      ['src/xcart.ts', 'A', 'a'],
    ]);
    expect(await commits.countFilesOfRelease(organizationId, id)).toBe(3);
    const touching = await commits.findTouching(organizationId, [id], ['cart.ts'], 10);
    expect(touching.map((each) => [each.commit.key, each.path]).sort()).toEqual([
      ['b', 'cart.ts'],
      ['b', 'src/cart.ts'],
    ]);
  });

  test('what stands beside a release, and the one before that has commits', async () => {
    const [first, second, third] = [await release('web@1'), await release('web@2'), await release('web@3')];
    const { organizationId, projectId } = tenant;
    await commits.setReleaseCommits(organizationId, first!, [
      commit('b', { author: { name: 'Bob', email: null } }),
      commit('a'),
      commit('9'),
    ]);
    const facts = await releases.describe(organizationId, [projectId], [first!, second!]);
    expect(facts.get(first!)).toMatchObject({
      commitCount: 3,
      lastCommit: { key: 'b' },
      authors: [
        { name: 'Ada', email: 'ada@example.com' },
        { name: 'Bob', email: null },
      ],
    });
    expect(facts.get(second!)).toMatchObject({
      commitCount: 0,
      deployCount: 0,
      lastCommit: null,
      authors: [],
    });
    const before = async (id: number, isIncluded: boolean) =>
      (await releases.listWithCommits(organizationId, [projectId], id, { isIncluded, limit: 5 })).map(
        ({ version }) => version,
      );
    expect(await before(third!, false)).toEqual(['web@1']);
    expect(await before(first!, false)).toEqual([]);
    expect(await before(first!, true)).toEqual(['web@1']);
  });

  test('another organization sees and changes nothing', async () => {
    const id = await release('web@1');
    const other = await stores.createTenant();
    await commits.setReleaseCommits(other.organizationId, id, [commit('a')]);
    await commits.setReleaseHeads(other.organizationId, id, [
      { repositoryId, commitKey: 'a', previousKey: null },
    ]);
    expect([await keysOf(id), await commits.listHeads(tenant.organizationId, id)]).toEqual([[], []]);
    await commits.setReleaseCommits(tenant.organizationId, id, [
      commit('a', { files: [{ path: 'a.ts', change: 'A' }] }),
    ]);
    await commits.clearRelease(other.organizationId, id);
    expect(await keysOf(id)).toEqual(['a']);
    const page = { limit: 10, offset: 0 };
    expect(await commits.listOfRelease(other.organizationId, id, page)).toEqual([]);
    expect(await commits.listFilesOfRelease(other.organizationId, id, page)).toEqual([]);
    expect(await commits.findTouching(other.organizationId, [id], ['a.ts'], 10)).toEqual([]);
    expect(await commits.list(other.organizationId, repositoryId, { ...page, seenIn: null })).toEqual([]);
    expect(await commits.listHeads(other.organizationId, id)).toEqual([]);
    expect(await commits.resolveIssues(other.organizationId, id, [], nowMs)).toEqual([]);
  });

  test('two builds that tell the same commits at once do not wait for each other for ever', async () => {
    const [first, second] = [await release('web@1'), await release('api@1')];
    const list = Array.from({ length: 200 }, (_, index) =>
      commit(`k${index}`, { files: [{ path: `f${index}.ts`, change: 'M' }] }),
    );
    await Promise.all([
      commits.setReleaseCommits(tenant.organizationId, first!, list),
      commits.setReleaseCommits(tenant.organizationId, second!, [...list].reverse()),
    ]);
    const facts = await releases.describe(tenant.organizationId, [], [first!, second!]);
    expect([...facts.values()].map(({ commitCount }) => commitCount)).toEqual([200, 200]);
  });

  async function happen(version: string | null = null): Promise<Issue> {
    nowMs += MINUTE_MS;
    const event = makeEvent({ ...tenant, release: version, occurredAt: nowMs, receivedAt: nowMs });
    await stores.assignNext([event], { nowMs });
    return (await stores.listIssues(tenant))[0]!;
  }
  const fix = (issue: Issue, commitKey: string, userId: string | null = null): FixedIssue => ({
    issueId: issue.id,
    repositoryName: 'acme/web',
    commitKey,
    userId,
  });
  const activities = async (issue: Issue) =>
    (await stores.issues.listActivity(tenant.organizationId, issue.id, 10)).map(({ type, data }) => [
      type,
      data.version ?? data.commit ?? null,
    ]);

  test('a commit of a release resolves an issue in it, once', async () => {
    const issue = await happen('web@1');
    const id = await release('web@2');
    const userId = await stores.createUser('Ada');
    await commits.setReleaseCommits(tenant.organizationId, id, [commit('abc')]);
    const resolve = () =>
      commits.resolveIssues(tenant.organizationId, id, [fix(issue, 'abc', userId)], later());
    expect(await resolve()).toEqual([issue.id]);
    const resolved = await stores.listIssues(tenant);
    expect(resolved[0]).toMatchObject({
      status: 'resolved',
      resolution: { kind: 'release', release: 'web@2' },
    });
    const [newest] = await stores.issues.listActivity(tenant.organizationId, issue.id, 1);
    expect(newest).toMatchObject({
      type: 'set_resolved_in_commit',
      user: { id: userId },
      data: { repository: 'acme/web', commit: 'abc', version: 'web@2' },
    });
    // An older release goes on to fail; the fixed one would bring it back.
    expect((await happen('web@1')).status).toBe('resolved');
    expect((await happen('web@2')).substatus).toBe('regressed');
    expect(await resolve()).toEqual([]);
    expect((await stores.listIssues(tenant))[0]!.status).toBe('unresolved');
  });

  test('the release of another project resolves it in the commit, until its own release has that', async () => {
    const issue = await happen('web@1');
    const api = await stores.createProject(tenant.organizationId, `${tenant.projectSlug}-api`);
    const [other, own] = [await release('api@2', [api.projectId]), await release('web@2')];
    for (const id of [other!, own!]) {
      await commits.setReleaseCommits(tenant.organizationId, id, [commit('abc')]);
    }
    await commits.resolveIssues(tenant.organizationId, other!, [fix(issue, 'abc')], later());
    expect((await stores.listIssues(tenant))[0]).toMatchObject({
      status: 'resolved',
      resolution: { kind: 'commit', repository: 'acme/web', commit: 'abc' },
    });
    await commits.resolveIssues(tenant.organizationId, own!, [fix(issue, 'abc')], later());
    expect((await stores.listIssues(tenant))[0]).toMatchObject({
      status: 'resolved',
      resolution: { kind: 'release', release: 'web@2' },
    });
    expect((await activities(issue)).slice(0, 2)).toEqual([
      ['set_resolved_in_release', 'web@2'],
      ['set_resolved_in_commit', 'abc'],
    ]);
  });

  test('who resolved it in a commit waits for the release, by the beginning of its hash', async () => {
    const issue = await happen('web@1');
    await stores.issues.update(
      tenant.organizationId,
      [issue.id],
      { status: 'resolved', resolution: { kind: 'commit', repository: 'Acme/Web', commit: '9F2C1AB' } },
      null,
      later(),
    );
    const id = await release('web@2');
    await commits.setReleaseCommits(tenant.organizationId, id, [commit('9f2c1ab77'), commit('abc')]);
    expect(await commits.resolveIssues(tenant.organizationId, id, [], later())).toEqual([issue.id]);
    expect((await stores.listIssues(tenant))[0]!.resolution).toEqual({ kind: 'release', release: 'web@2' });
    expect(await commits.resolveIssues(tenant.organizationId, id, [], later())).toEqual([]);
  });

  test('a commit is meant in any case', async () => {
    const issue = await happen('web@1');
    const id = await release('web@2');
    await commits.setReleaseCommits(tenant.organizationId, id, [commit('9F2C1AB77')]);
    const named = { repositoryName: 'ACME/web', key: '9f2c1Ab' };
    expect(await commits.listReleasesWith(tenant.organizationId, named, 5)).toEqual([id]);
    expect(
      await commits.listReleasesWith(tenant.organizationId, { ...named, repositoryName: 'acme/web\0x' }, 5),
    ).toEqual([]);
    const resolution = { kind: 'commit', repository: 'acme/web', commit: '9f2c1ab' } as const;
    const change = { status: 'resolved', resolution } as const;
    await stores.issues.update(tenant.organizationId, [issue.id], change, null, later());
    expect(await commits.resolveIssues(tenant.organizationId, id, [], later())).toEqual([issue.id]);
  });

  test('the first event or session of a release tells that it is the one an issue waits for', async () => {
    const issue = await happen('web@1');
    const api = await stores.createProject(tenant.organizationId, `${tenant.projectSlug}-api`);
    const wait = async (version: string, key: string) => {
      const id = await release(version, [api.projectId]);
      await commits.setReleaseCommits(tenant.organizationId, id, [commit(key)]);
      await stores.issues.update(tenant.organizationId, [issue.id], { status: 'unresolved' }, null, later());
      await commits.resolveIssues(tenant.organizationId, id, [fix(issue, key)], later());
      expect((await stores.listIssues(tenant))[0]!.resolution).toMatchObject({ kind: 'commit', commit: key });
    };
    await wait('f00', 'abc');
    // An older release goes on to fail, and says nothing of it.
    expect((await happen('web@1')).resolution).toMatchObject({ kind: 'commit' });
    const named = { ...tenant, release: 'f00', environment: null, at: later() };
    const spoolId = `named ${tenant.projectId}`;
    await stores.digest.assign({ spoolId, from: 0, to: 1 }, [], [], [], later(), [named]);
    expect((await stores.listIssues(tenant))[0]).toMatchObject({
      status: 'resolved',
      resolution: { kind: 'release', release: 'f00' },
    });
    expect((await activities(issue))[0]).toEqual(['set_resolved_in_release', 'f00']);

    await wait('f01', 'def');
    expect(await happen('f01')).toMatchObject({ status: 'unresolved', substatus: 'regressed' });
  });

  test('an issue of another organization is not resolved', async () => {
    const issue = await happen('web@1');
    const theirs = await stores.createTenant();
    const { releaseId } = await releases.save(
      theirs.organizationId,
      { version: 'web@2', projectIds: [theirs.projectId], change: {} },
      nowMs,
    );
    expect(await commits.resolveIssues(theirs.organizationId, releaseId, [fix(issue, 'abc')], nowMs)).toEqual(
      [],
    );
    expect((await stores.listIssues(tenant))[0]!.status).toBe('unresolved');
  });
});
