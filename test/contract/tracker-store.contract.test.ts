import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretBox } from '#lib/secret-box.ts';
import { createIssueLinkStore, type IssueLinkStore } from '#product/issue-links/issue-link-store.ts';
import { createTrackerStore, type TrackerStore } from '#product/trackers/tracker-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';
import { MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

const SECRETS = { token: 'token-tell-nobody', hookSecret: 'hook-tell-nobody' };
const DRAFT = {
  kind: 'github',
  name: 'GitHub',
  url: 'https://github.com',
  login: null,
  account: 'ana',
} as const;

describeOnPostgres('TrackerStore', (engine) => {
  let stores: PostgresStores;
  let trackers: TrackerStore;
  let issueLinks: IssueLinkStore;
  const storeWith = (secret: string) =>
    createTrackerStore(stores.database.db, createSecretBox(secret, 'trackers'));
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    trackers = storeWith('one secret of the instance');
    issueLinks = createIssueLinkStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  test('what is added is listed by name, in its organization only', async () => {
    const [own, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const { organizationId } = own;
    const userId = await stores.createUser('Ana');
    const added = await trackers.add(organizationId, DRAFT, SECRETS, userId, NOON_MS);
    expect(added).toEqual({
      ...DRAFT,
      id: added.id,
      organizationId,
      createdBy: { id: userId, name: 'Ana' },
      createdAt: NOON_MS,
      lastHookAt: null,
    });
    await trackers.add(organizationId, { ...DRAFT, name: 'forge' }, SECRETS, null, NOON_MS);
    expect((await trackers.list(organizationId)).map(({ name }) => name)).toEqual(['forge', 'GitHub']);
    await expect(
      trackers.add(organizationId, { ...DRAFT, name: 'GITHUB' }, SECRETS, null, NOON_MS),
    ).rejects.toMatchObject({ code: 'conflict', field: 'name' });
    expect(await trackers.list(theirs.organizationId)).toEqual([]);
    expect(await trackers.find(theirs.organizationId, added.id)).toBeNull();
    expect(await trackers.readSecrets(theirs.organizationId, added.id)).toEqual({ kind: 'absent' });
    expect(await trackers.setHookSecret(theirs.organizationId, added.id, 'x')).toBe(false);
    const change = { name: 'x', url: 'x', login: null, account: 'x', token: 'x' };
    expect(await trackers.update(theirs.organizationId, added.id, change)).toBeNull();
    expect(await trackers.remove(theirs.organizationId, added.id)).toBe(false);
    expect(await trackers.find(organizationId, added.id)).toEqual(added);
  });

  test('the database holds no word of the secrets, and they open nowhere else', async () => {
    const [own, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const { id } = await trackers.add(own.organizationId, DRAFT, SECRETS, null, NOON_MS);
    const { rows } = await sql<{ row: string }>`
      SELECT trackers::text AS row FROM trackers WHERE id = ${id}`.execute(stores.database.db);
    expect(rows[0]?.row).not.toContain('tell-nobody');
    expect(await trackers.readSecrets(own.organizationId, id)).toEqual({ kind: 'read', secrets: SECRETS });
    const unreadable = { kind: 'unreadable' };
    expect(await storeWith('another secret').readSecrets(own.organizationId, id)).toEqual(unreadable);
    await sql`UPDATE trackers SET token = hook_secret, hook_secret = token WHERE id = ${id}`.execute(
      stores.database.db,
    );
    expect(await trackers.readSecrets(own.organizationId, id)).toEqual(unreadable);
    await sql`
      UPDATE trackers SET token = hook_secret, hook_secret = token, organization_id = ${theirs.organizationId}
      WHERE id = ${id}`.execute(stores.database.db);
    expect(await trackers.readSecrets(theirs.organizationId, id)).toEqual(unreadable);
  });

  test('a message is known under each of its names, by one tracker, until it is forgotten', async () => {
    const { organizationId } = await stores.createTenant();
    const one = await trackers.add(organizationId, DRAFT, SECRETS, null, NOON_MS);
    const two = await trackers.add(organizationId, { ...DRAFT, name: 'Two' }, SECRETS, null, NOON_MS);
    await trackers.rememberHook(organizationId, one.id, ['a', 'body 1'], NOON_MS);
    await trackers.rememberHook(organizationId, one.id, ['a', 'body 2'], NOON_MS + MINUTE_MS);
    const knows = (id: number, ...names: string[]) => trackers.knowsHook(organizationId, id, names);
    expect(await knows(one.id, 'other', 'body 1')).toBe(true);
    expect(await knows(one.id, 'a', 'body 3')).toBe(true);
    expect(await knows(one.id, 'other', 'body 3')).toBe(false);
    expect(await knows(two.id, 'a')).toBe(false);
    expect(await trackers.find(organizationId, one.id)).toMatchObject({ lastHookAt: NOON_MS + MINUTE_MS });
    expect(await trackers.forgetHooks(NOON_MS + 1, 1)).toBe(1);
    expect(await trackers.forgetHooks(NOON_MS + 1, 10)).toBe(1);
    expect(await knows(one.id, 'a', 'body 1')).toBe(false);
    expect(await knows(one.id, 'body 2')).toBe(true);
  });

  test('links follow what the tracker says, and outlive it as addresses', async () => {
    const tenant = await stores.createTenant();
    const { organizationId } = tenant;
    const tracker = await trackers.add(organizationId, DRAFT, SECRETS, null, NOON_MS);
    await stores.assignNext([makeEvent({ ...tenant, title: 'One' }), makeEvent({ ...tenant, title: 'Two' })]);
    const issues = await stores.listIssues(tenant);
    const tracked = { trackerId: tracker.id, key: 'acme/web#1', state: 'open', stateName: 'Open' } as const;
    const link = { url: 'https://github.com/acme/web/issues/1', title: 'Cart', tracked };
    for (const { id } of issues) await issueLinks.add(organizationId, id, link, null, NOON_MS, 10);
    expect(await issueLinks.listStale(NOON_MS + 1, 10)).toEqual([
      { organizationId, trackerId: tracker.id, key: tracked.key },
    ]);
    const said = { ...tracked, title: 'Cart', state: 'closed', stateName: 'Closed' } as const;
    expect(await issueLinks.noteTracked(organizationId, said, NOON_MS + 1)).toBe(issues.length);
    expect(await issueLinks.noteTracked(organizationId, said, NOON_MS + 2)).toBe(0);
    expect(await issueLinks.listStale(NOON_MS + MINUTE_MS, 10)).toEqual([]);
    const [shown] = await issueLinks.list(organizationId, issues[0]!.id);
    expect(shown).toMatchObject({ tracked: { state: 'closed' } });
    expect(await trackers.remove(organizationId, tracker.id)).toBe(true);
    expect(await issueLinks.list(organizationId, issues[0]!.id)).toEqual([{ ...shown, tracked: null }]);
  });

  test('what people removed does not come back by itself', async () => {
    const tenant = await stores.createTenant();
    const { organizationId } = tenant;
    await stores.assignNext([makeEvent(tenant)]);
    const [issue] = await stores.listIssues(tenant);
    const add = (isByItself: boolean) =>
      issueLinks.add(
        organizationId,
        issue!.id,
        { url: 'https://h/1', title: 'x', isByItself },
        null,
        NOON_MS,
        9,
      );
    const link = await add(true);
    await issueLinks.remove(organizationId, issue!.id, link!.id, null, NOON_MS);
    expect(await add(true)).toBeNull();
    expect(await add(false)).toMatchObject({ url: 'https://h/1' });
  });
});
