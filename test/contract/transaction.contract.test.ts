import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuditStore } from '#product/audit/audit-store.ts';
import { createProjectStore } from '#product/projects/store/project-store.ts';
import { createTeamStore } from '#product/teams/team-store.ts';
import { transactional } from '#storage/postgres/transaction.ts';
import type { Connections, Transactional } from '#storage/sql/connections.ts';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';

const storesOf = ({ db }: Connections) => ({
  teams: createTeamStore(db),
  projects: createProjectStore(db),
  audit: createAuditStore(db),
});
type Stores = Transactional<ReturnType<typeof storesOf>>;

describeOnPostgres('Transactions that several stores share', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  let stores: Stores;
  let organizationId: number;
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
    stores = transactional(database, storesOf);
    organizationId = (await stores.projects.createOrganization({ slug: 'main', name: 'Main' })).id;
  });
  afterAll(async () => {
    await database?.drop();
  });

  const slugs = async (within: Stores = stores) =>
    (await within.teams.list(organizationId)).map(({ slug }) => slug);
  const createTeam = (slug: string, within: Stores = stores) =>
    within.teams.create(organizationId, { slug, name: slug });
  const createProject = (slug: string, { projects }: Stores = stores) =>
    projects.createProject({ organizationId, slug, name: slug, platform: null, isInternal: false });

  test('what fails takes everything before it back, also what another store wrote in a transaction of its own', async () => {
    await expect(
      stores.inTransaction(async (within) => {
        await createTeam('undone', within);
        await createProject('undone', within);
        throw new Error('too late');
      }),
    ).rejects.toThrow('too late');
    expect(await slugs()).not.toContain('undone');
    expect(await stores.projects.findProject(organizationId, 'undone')).toBeNull();
  });

  test('a process that dies before the end leaves nothing', async () => {
    await expect(
      stores.inTransaction(async (within) => {
        await createTeam('died', within);
        await outside(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`,
        );
        await createProject('died', within);
      }),
    ).rejects.toThrow();
    expect(await slugs()).not.toContain('died');
    expect(await stores.projects.findProject(organizationId, 'died')).toBeNull();
  });

  test('others see nothing of it before the end, not even the stores that it began with', async () => {
    await stores.inTransaction(async (within) => {
      await createTeam('hidden', within);
      expect(await slugs(within)).toContain('hidden');
      expect(await slugs()).not.toContain('hidden');
      expect((await outside("SELECT FROM teams WHERE slug = 'hidden'")).rows).toHaveLength(0);
    });
    expect((await outside("SELECT FROM teams WHERE slug = 'hidden'")).rows).toHaveLength(1);
  });

  test('queries at the same time take turns, and one within another joins it', async () => {
    await stores.inTransaction(async (within) => {
      await Promise.all(['a', 'b', 'c'].map((slug) => createProject(`turn-${slug}`, within)));
      await within.inTransaction((joined) => createTeam('turn', joined));
    });
    expect(await slugs()).toContain('turn');
    expect(await stores.projects.findProject(organizationId, 'turn-c')).not.toBeNull();
  });

  test('a refused nested transaction can be caught, and the rest stays', async () => {
    await createProject('taken');
    await stores.inTransaction(async (within) => {
      await createTeam('kept', within);
      await expect(createProject('taken', within)).rejects.toMatchObject({ code: 'conflict' });
    });
    expect(await slugs()).toContain('kept');
  });

  test('a failed statement that was swallowed does not pass for a success', async () => {
    await createTeam('twice');
    await expect(
      stores.inTransaction(async (within) => {
        await createTeam('lost', within);
        await createTeam('twice', within).catch(() => {});
      }),
    ).rejects.toThrow();
    expect(await slugs()).not.toContain('lost');
  });

  test('connections are given back, after success and after failure', async () => {
    for (let round = 0; round < 30; round++) {
      await stores.inTransaction((within) => slugs(within));
      await stores
        .inTransaction(async (within) => {
          await slugs(within);
          throw new Error('no');
        })
        .catch(() => {});
    }
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  test('stores that outlive their transaction refuse to work', async () => {
    const kept = await stores.inTransaction(async (within) => within);
    await expect(createTeam('late', kept)).rejects.toThrow('has ended');
  });

  test('a change whose entry cannot be written does not happen', async () => {
    await expect(
      stores.inTransaction(async (within) => {
        await createTeam('unlogged', within);
        await within.audit.record({
          organizationId: 987_654_321,
          at: 0,
          action: 'team.create',
          actor: { kind: 'system', userId: null, name: 'x', tokenId: null },
          ipAddress: null,
          target: { kind: 'team', id: null, name: 'unlogged' },
          data: {},
        });
      }),
    ).rejects.toThrow();
    expect(await slugs()).not.toContain('unlogged');
  });

  /** On a connection that is no part of the transaction. */
  async function outside(text: string) {
    const { openPostgres } = await import('#storage/postgres/database.ts');
    const other = openPostgres(database.url);
    try {
      return await other.pool.query(text);
    } finally {
      await other.close();
    }
  }
});
