import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretBox } from '#lib/secret-box.ts';
import { createDestinationStore, type DestinationStore } from '#product/destinations/destination-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';
import { MINUTE_MS, NOON_MS } from './sample-events.ts';

const SECRET = { url: 'https://hooks.example.com/services/T0/B0/tell-nobody' };
const DRAFT = {
  kind: 'slack',
  name: 'Team chat',
  config: { host: 'hooks.example.com' },
  secret: SECRET,
} as const;

describeOnPostgres('DestinationStore', (engine) => {
  let stores: PostgresStores;
  let destinations: DestinationStore;
  const storeWith = (secret: string) =>
    createDestinationStore(stores.database.db, createSecretBox(secret, 'destinations'));
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    destinations = storeWith('one secret of the instance');
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  test('what is added is listed by name, with its secret only for who asks for it', async () => {
    const { organizationId } = await stores.createTenant();
    const userId = await stores.createUser('Ana');
    const added = await destinations.add(organizationId, DRAFT, userId, NOON_MS);
    expect(added).toEqual({
      id: added.id,
      organizationId,
      kind: 'slack',
      name: 'Team chat',
      config: { host: 'hooks.example.com' },
      createdBy: { id: userId, name: 'Ana' },
      createdAt: NOON_MS,
      lastSentAt: null,
      failingSince: null,
      lastError: null,
    });
    await destinations.add(organizationId, { ...DRAFT, name: 'alarms' }, null, NOON_MS);
    expect((await destinations.list(organizationId)).map(({ name }) => name)).toEqual([
      'alarms',
      'Team chat',
    ]);
    expect(await destinations.find(organizationId, added.id)).toEqual(added);
    expect(await destinations.readSecret(organizationId, added.id)).toEqual({ kind: 'read', secret: SECRET });
  });

  test('the database holds no word of the secret, and it opens in no other organization and with no other key', async () => {
    const [own, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const { id } = await destinations.add(own.organizationId, DRAFT, null, NOON_MS);
    const { rows } = await sql<{ row: string }>`
      SELECT destinations::text AS row FROM destinations WHERE id = ${id}`.execute(stores.database.db);
    expect(rows[0]?.row).not.toContain('tell-nobody');
    expect(await storeWith('another secret').readSecret(own.organizationId, id)).toEqual({
      kind: 'unreadable',
    });
    await sql`UPDATE destinations SET organization_id = ${theirs.organizationId} WHERE id = ${id}`.execute(
      stores.database.db,
    );
    expect(await destinations.readSecret(theirs.organizationId, id)).toEqual({ kind: 'unreadable' });
  });

  test('a change keeps the secret unless another one is given', async () => {
    const { organizationId } = await stores.createTenant();
    const { id } = await destinations.add(organizationId, DRAFT, null, NOON_MS);
    const kept = await destinations.update(organizationId, id, { name: 'Chat', config: {}, secret: null });
    expect(kept).toMatchObject({ name: 'Chat', config: {} });
    expect(await destinations.readSecret(organizationId, id)).toEqual({ kind: 'read', secret: SECRET });
    const secret = { url: 'https://hooks.example.com/new' };
    await destinations.update(organizationId, id, { name: 'Chat', config: {}, secret });
    expect(await destinations.readSecret(organizationId, id)).toEqual({ kind: 'read', secret });
  });

  test('a name is taken once in an organization, in either case', async () => {
    const { organizationId } = await stores.createTenant();
    const { id } = await destinations.add(organizationId, DRAFT, null, NOON_MS);
    const again = { ...DRAFT, name: 'TEAM CHAT' };
    await expect(destinations.add(organizationId, again, null, NOON_MS)).rejects.toMatchObject({
      code: 'conflict',
      field: 'name',
    });
    const other = await destinations.add(organizationId, { ...DRAFT, name: 'Other' }, null, NOON_MS);
    const change = { name: 'team chat', config: {}, secret: null };
    await expect(destinations.update(organizationId, other.id, change)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await destinations.update(organizationId, id, change)).toMatchObject({ name: 'team chat' });
  });

  test('it fails since the first message that failed, and until one is taken', async () => {
    const { organizationId } = await stores.createTenant();
    const { id } = await destinations.add(organizationId, DRAFT, null, NOON_MS);
    const note = (error: string | null, minutes: number) =>
      destinations.noteResult(organizationId, id, error, NOON_MS + minutes * MINUTE_MS);
    await note('it answered 500', 1);
    await note('it answered 502', 2);
    expect(await destinations.find(organizationId, id)).toMatchObject({
      lastSentAt: null,
      failingSince: NOON_MS + MINUTE_MS,
      lastError: 'it answered 502',
    });
    await note(null, 3);
    expect(await destinations.find(organizationId, id)).toMatchObject({
      lastSentAt: NOON_MS + 3 * MINUTE_MS,
      failingSince: null,
      lastError: null,
    });
  });

  test('another organization sees and changes nothing', async () => {
    const [own, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const added = await destinations.add(own.organizationId, DRAFT, null, NOON_MS);
    const other = theirs.organizationId;
    expect(await destinations.list(other)).toEqual([]);
    expect(await destinations.find(other, added.id)).toBeNull();
    expect(await destinations.readSecret(other, added.id)).toEqual({ kind: 'absent' });
    expect(await destinations.update(other, added.id, { name: 'x', config: {}, secret: null })).toBeNull();
    await destinations.noteResult(other, added.id, 'no', NOON_MS);
    expect(await destinations.remove(other, added.id)).toBe(false);
    expect(await destinations.find(own.organizationId, added.id)).toEqual(added);
    expect(await destinations.remove(own.organizationId, added.id)).toBe(true);
    expect(await destinations.find(own.organizationId, added.id)).toBeNull();
  });
});
