import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import { createCommentStore } from '#product/comments/comment-store.ts';
import { createIssueDeletionStore } from '#product/issue-deletion/issue-deletion-store.ts';
import { createIssueLinkStore } from '#product/issue-links/issue-link-store.ts';
import { createIssueUserStateStore } from '#product/issue-user-state/issue-user-state-store.ts';
import { createOwnershipStore } from '#product/ownership/ownership-store.ts';
import { createIssueShareStore } from '#product/sharing/issue-share-store.ts';
import { createTeamStore } from '#product/teams/team-store.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createDeletedEventStore } from '#storage/clickhouse/deleted-data.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createIssueTagStore } from '#storage/clickhouse/issue-tags.ts';
import { testInFull } from '../harness/is-full.ts';
import { createMigratedClickhouse, describeOnClickhouse, describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { DAY_MS, hashOf, MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

describeOnPostgres('The stores of people around issues', (engine) => {
  let stores: PostgresStores;
  let mine: Tenant;
  let theirs: Tenant;
  let issue: Issue;
  let userId: string;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    mine = await stores.createTenant();
    theirs = await stores.createTenant();
    await stores.assignNext([makeEvent(mine)]);
    issue = (await stores.issues.findByHash(mine.organizationId, mine.projectId, hashOf('default')))!;
    userId = await stores.createUser('Ana');
    await stores.database.pool.query(
      `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')`,
      [mine.organizationId, userId],
    );
  });
  afterAll(async () => {
    await stores.database.drop();
  });

  test('answer and change nothing of another organization', async () => {
    const { db } = stores.database;
    const [outside, ids] = [theirs.organizationId, [issue.id]];
    const teams = createTeamStore(db);
    const team = await teams.create(mine.organizationId, { slug: 'web', name: 'Web' });
    expect(await teams.list(outside)).toEqual([]);
    expect(await teams.update(outside, team.id, { name: 'x' })).toBeNull();
    expect(await teams.delete(outside, team.id)).toBe(false);
    expect(await teams.setMember(outside, team.id, userId, true)).toBe(false);
    expect(await teams.setProject(outside, team.id, theirs.projectId, true)).toBe(false);
    expect(await teams.setProject(mine.organizationId, team.id, theirs.projectId, true)).toBe(false);

    const comments = createCommentStore(db);
    const text = { text: 'x', mentions: [] };
    const comment = (await comments.add(mine.organizationId, issue.id, userId, text, NOON_MS))!;
    expect(await comments.add(outside, issue.id, userId, text, NOON_MS)).toBeNull();
    expect(await comments.find(outside, issue.id, comment.id)).toBeNull();
    expect(await comments.edit(outside, issue.id, comment.id, userId, text, NOON_MS)).toBeNull();
    expect(await comments.delete(outside, issue.id, comment.id, userId)).toBe(false);
    expect((await comments.count(outside, ids)).size).toBe(0);
    const all = { limit: 10, before: null, type: null };
    expect(await comments.listActivities(outside, issue.id, all)).toEqual([]);

    const userState = createIssueUserStateStore(db);
    await userState.setBookmarked(outside, ids, userId, true);
    await userState.setSubscribed(outside, ids, userId, true);
    await userState.subscribe(outside, ids, [userId], 'mentioned');
    await userState.setSeen(outside, ids, userId, true, NOON_MS);
    expect((await userState.findUserState(outside, ids, userId)).size).toBe(0);
    expect((await userState.findUserState(mine.organizationId, ids, userId)).get(issue.id)).toEqual({
      isBookmarked: false,
      subscription: null,
      hasSeen: false,
    });

    const links = createIssueLinkStore(db);
    const link = { url: 'https://x.example/', title: 'x' };
    const added = (await links.add(mine.organizationId, issue.id, link, userId, NOON_MS, 1))!;
    expect(await links.add(outside, issue.id, link, userId, NOON_MS, 5)).toBeNull();
    expect(await links.remove(outside, issue.id, added.id, userId, NOON_MS)).toBe(false);
    expect(await links.list(outside, issue.id)).toEqual([]);
    const second = { url: 'https://y.example/', title: 'y' };
    expect(await links.add(mine.organizationId, issue.id, second, userId, NOON_MS, 1)).toBeNull();

    const shares = createIssueShareStore(db);
    const share = { tokenHash: Buffer.alloc(32, 1), expiresAt: NOON_MS + DAY_MS };
    expect(await shares.put(outside, issue.id, share, userId, NOON_MS)).toBeNull();
    expect(await shares.put(mine.organizationId, issue.id, share, userId, NOON_MS)).not.toBeNull();
    expect(await shares.find(outside, issue.id, NOON_MS)).toBeNull();
    expect(await shares.list(outside, NOON_MS, 10)).toEqual([]);
    expect((await shares.findShared(outside, ids, NOON_MS)).size).toBe(0);
    expect(await shares.remove(outside, issue.id, userId, NOON_MS)).toBe(false);

    const ownership = createOwnershipStore(db);
    const rules = { rules: 'a #web', codeowners: '', stackRoot: '', sourceRoot: '', autoAssign: true };
    expect(await ownership.find(outside, mine.projectId)).toBeNull();
    expect(await ownership.save(outside, mine.projectId, rules, 0, userId, NOON_MS)).toBeNull();

    const deletions = createIssueDeletionStore(db);
    const discard = { discard: true };
    expect(await deletions.deleteIssues(outside, ids, discard, userId, NOON_MS)).toEqual([]);
    expect(await deletions.deleteIssues(mine.organizationId, ids, discard, userId, NOON_MS)).toEqual(ids);
    const [discarded] = await deletions.listDiscarded(mine.organizationId, mine.projectId, 10);
    expect(await deletions.listDiscarded(outside, mine.projectId, 10)).toEqual([]);
    expect(await deletions.restore(outside, mine.projectId, discarded!.id)).toBe(false);
    expect(await deletions.listDiscardedHashes(10)).toEqual([
      { projectId: mine.projectId, hash: hashOf('default') },
    ]);
  });

  test('of two who save the first ownership rules at once, one is told', async () => {
    const ownership = createOwnershipStore(stores.database.db);
    const rules = { rules: 'a #web', codeowners: '', stackRoot: '', sourceRoot: '', autoAssign: false };
    const saves = await Promise.allSettled(
      [1, 2].map(() => ownership.save(mine.organizationId, mine.projectId, rules, 0, null, NOON_MS)),
    );
    expect(saves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await ownership.find(mine.organizationId, mine.projectId)).toMatchObject({ version: 1 });
  });
});

describeOnClickhouse('Deleted events', (engine) => {
  let database: ClickhouseDatabase & { drop(): Promise<void> };
  beforeAll(async () => {
    database = createMigratedClickhouse(engine);
  });
  afterAll(async () => {
    await database.drop();
  });

  testInFull(
    'go by organization, project, hash and time of arrival, and from the index as well',
    async () => {
      const events = createEventStore(database);
      const ours = { organizationId: 1, projectId: 10, groupingHash: hashOf('a') };
      const kept = [
        makeEvent({ ...ours, organizationId: 2, projectId: 20 }),
        makeEvent({ ...ours, projectId: 11 }),
        makeEvent({ ...ours, groupingHash: hashOf('b') }),
        makeEvent({ ...ours, receivedAt: NOON_MS + MINUTE_MS + 1 }),
      ];
      const gone = [makeEvent(ours), makeEvent({ ...ours, receivedAt: NOON_MS + MINUTE_MS })];
      await events.insertEvents([...kept, ...gone], 'one');
      const deletion = {
        id: 1,
        organizationId: 1,
        projectId: 10,
        hashes: [hashOf('a')],
        requestedAt: NOON_MS + MINUTE_MS,
      };
      const store = createDeletedEventStore(database);
      await store.deleteEvents(deletion);
      await store.deleteEvents(deletion);
      const left = await database.query<{ id: string }>('SELECT event_id AS id FROM events', {});
      expect(left.map(({ id }) => id).sort()).toEqual(kept.map(({ eventId }) => eventId).sort());
      const stored = await events.findStored([...kept, ...gone]);
      expect(stored.size).toBe(kept.length);
      const bad = { ...deletion, hashes: ["') OR 1 = 1 --"] };
      await expect(store.deleteEvents(bad)).rejects.toThrow();
      await expect(store.listBlobKeys(bad, '', 10)).rejects.toThrow();
    },
  );

  test('a tag of another organization is not counted', async () => {
    const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };
    const ours = { organizationId: 1, projectId: 12, groupingHash: hashOf('a') };
    await createEventStore(database).insertEvents([makeEvent(ours)], 'two');
    const issue = { issueId: 1, projectId: 12, hashes: [hashOf('a')] };
    const store = createIssueTagStore(database);
    const limits = { values: 10, events: 100 };
    const inside = { organizationId: 1, projectIds: [12] };
    expect(await store.countValues(inside, issue, 'level', range, limits)).toMatchObject({ total: 1 });
    for (const scope of [
      { organizationId: 2, projectIds: [12] },
      { organizationId: 1, projectIds: [10] },
    ]) {
      expect(await store.countValues(scope, issue, 'level', range, limits)).toMatchObject({ total: 0 });
    }
  });
});
