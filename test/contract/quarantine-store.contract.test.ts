import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QuarantineEntry } from '#storage/ports/digest.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { HOSTILE_TEXT, NOON_MS, newEventId } from './sample-events.ts';

describeOnPostgres('QuarantineStore', (engine) => {
  let stores: PostgresStores;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const entry = (tenant: Tenant, overrides: Partial<QuarantineEntry> = {}): QuarantineEntry => ({
    organizationId: tenant.organizationId,
    projectId: tenant.projectId,
    keyId: tenant.keyId,
    eventId: newEventId(),
    category: 'error',
    reason: 'digest_failed',
    detail: HOSTILE_TEXT,
    attempts: 3,
    receivedAt: NOON_MS - 5_000,
    record: randomBytes(64),
    spoolId: randomBytes(8).toString('hex'),
    position: 1,
    item: 0,
    ...overrides,
  });
  const setAside = (...entries: QuarantineEntry[]) =>
    stores.digest.assign(
      { spoolId: randomBytes(8).toString('hex'), from: 0, to: 1 },
      [],
      [],
      entries,
      NOON_MS,
    );

  test('an item is found whole, byte for byte', async () => {
    const tenant = await stores.createTenant();
    const record = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const given = entry(tenant, { record });
    await setAside(given);
    const [listed] = await stores.quarantine.list(tenant.organizationId, 10);
    expect(listed).toEqual({
      id: expect.any(Number),
      organizationId: tenant.organizationId,
      projectId: tenant.projectId,
      keyId: tenant.keyId,
      eventId: given.eventId,
      category: 'error',
      reason: 'digest_failed',
      detail: HOSTILE_TEXT,
      attempts: 3,
      receivedAt: NOON_MS - 5_000,
      quarantinedAt: NOON_MS,
      replayedAt: null,
    });
    const found = await stores.quarantine.find(listed!.id);
    expect(Uint8Array.from(found!.record)).toEqual(record);
    expect(await stores.quarantine.find(999_999_999)).toBeNull();
  });

  test('items are listed newest first, bounded, of one organization or of the instance', async () => {
    const [mine, theirs] = [await stores.createTenant(), await stores.createTenant()];
    await setAside(entry(mine, { attempts: 1 }));
    await setAside(entry(theirs, { attempts: 2 }));
    await setAside(entry(mine, { attempts: 3 }));
    const attempts = async (organizationId: number | null, limit: number) =>
      (await stores.quarantine.list(organizationId, limit)).map((item) => item.attempts);
    expect(await attempts(mine.organizationId, 10)).toEqual([3, 1]);
    expect(await attempts(mine.organizationId, 1)).toEqual([3]);
    expect(await attempts(null, 3)).toEqual([3, 2, 1]);
  });

  test('a replay is noted', async () => {
    const tenant = await stores.createTenant();
    await setAside(entry(tenant));
    const [item] = await stores.quarantine.list(tenant.organizationId, 1);
    await stores.quarantine.markReplayed(item!.id, NOON_MS + 1);
    expect(await stores.quarantine.find(item!.id)).toMatchObject({ replayedAt: NOON_MS + 1 });
  });

  test('a replay is noted for all items of the record, and for no other', async () => {
    const tenant = await stores.createTenant();
    const spoolId = randomBytes(8).toString('hex');
    const place = (position: number, item: number) => entry(tenant, { spoolId, position, item });
    await setAside(place(1, 0), place(1, 1), place(2, 0));
    const [other, second, first] = await stores.quarantine.list(tenant.organizationId, 3);
    await stores.quarantine.markReplayed(second!.id, NOON_MS + 1);
    const replayed = await Promise.all(
      [first, second, other].map((item) => stores.quarantine.find(item!.id)),
    );
    expect(replayed.map((item) => item?.replayedAt)).toEqual([NOON_MS + 1, NOON_MS + 1, null]);
  });

  test('more entries than one statement takes are all kept', async () => {
    const tenant = await stores.createTenant();
    const entries = Array.from({ length: 1_100 }, (_, item) => entry(tenant, { spoolId: 'one', item }));
    await setAside(...entries);
    expect(await stores.quarantine.list(tenant.organizationId, 2_000)).toHaveLength(1_100);
  });
});
