import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NotificationKind } from '#domain/notification-kinds.ts';
import { DAY_MS } from '#lib/time.ts';
import {
  createNotificationStore,
  createReportStore,
  type NotificationStore,
} from '#product/notifications/notification-store.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { MINUTE_MS, NOON_MS } from './sample-events.ts';

const RANGE = { fromMs: NOON_MS - 7 * DAY_MS, toMs: NOON_MS + DAY_MS };

describeOnPostgres('what members want mail about', (engine) => {
  let stores: PostgresStores;
  let notifications: NotificationStore;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    notifications = createNotificationStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const join = async (name: string, { organizationId }: Tenant): Promise<string> => {
    const userId = await stores.createUser(name);
    await sql`INSERT INTO memberships (organization_id, user_id, role) VALUES (${organizationId}, ${userId}, 'member')`.execute(
      stores.database.db,
    );
    return userId;
  };

  test('the narrowest word counts, and of each place and kind there is one', async () => {
    const tenant = await stores.createTenant();
    const { organizationId, projectId } = tenant;
    const other = await stores.createProject(organizationId, 'other');
    const [ana, ben] = [await join('Ana', tenant), await join('Ben', tenant)];
    const isOff = async (kind: NotificationKind, project: number | null) =>
      (await notifications.listOff(kind, organizationId, project, [ana, ben])).has(ana);
    const everywhere = { organizationId: null, projectId: null };
    expect(await isOff('alerts', projectId)).toBe(false);
    await notifications.set(ana, everywhere, 'alerts', true);
    await notifications.set(ana, everywhere, 'alerts', false);
    expect(await isOff('alerts', projectId)).toBe(true);
    expect(await isOff('mentions', null)).toBe(false);
    await notifications.set(ana, { organizationId, projectId: null }, 'alerts', true);
    expect(await isOff('alerts', projectId)).toBe(false);
    await notifications.set(ana, { organizationId, projectId }, 'alerts', false);
    expect([await isOff('alerts', projectId), await isOff('alerts', other.projectId)]).toEqual([true, false]);
    expect(await notifications.list(ana)).toEqual([
      { kind: 'alerts', organizationId: null, projectId: null, isOn: false },
      { kind: 'alerts', organizationId, projectId: null, isOn: true },
      { kind: 'alerts', organizationId, projectId, isOn: false },
    ]);
    await notifications.set(ana, { organizationId, projectId }, 'alerts', null);
    expect(await isOff('alerts', projectId)).toBe(false);
    expect(await notifications.listOff('alerts', organizationId, projectId, [ben])).toEqual(new Set());
    expect(await notifications.listOff('alerts', organizationId, projectId, [])).toEqual(new Set());
  });

  test('a week is reported to each member once, where something happened, unless they want none', async () => {
    const reports = createReportStore(stores.database.db);
    const [loud, silent] = [await stores.createTenant(), await stores.createTenant()];
    const [ana, ben] = [await join('Ana', loud), await join('Ben', loud)];
    await join('Cleo', silent);
    await notifications.set(
      ben,
      { organizationId: loud.organizationId, projectId: null },
      'weekly_report',
      false,
    );
    const accepted: OutcomeCount = {
      ...loud,
      at: NOON_MS,
      category: 'error',
      outcome: 'accepted',
      reason: '',
      quantity: 1,
    };
    await stores.assignNext([], { outcomes: [accepted] });
    expect(await reports.listActiveOrganizations(RANGE)).toEqual([loud.organizationId]);
    const open = (weekStart: number) => reports.open(loud.organizationId, weekStart, NOON_MS + MINUTE_MS);
    expect([await open(RANGE.fromMs), await open(RANGE.fromMs), await open(RANGE.toMs)]).toEqual([1, 0, 1]);
    const { rows } = await sql<{ user_id: string }>`
      SELECT user_id FROM deliveries WHERE kind = 'report'`.execute(stores.database.db);
    expect(rows).toEqual([{ user_id: ana }, { user_id: ana }]);
  });
});
