import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuditStore } from '#storage/postgres/audit-store.ts';
import { createProjectStore } from '#storage/postgres/project-store.ts';
import { createTeamStore } from '#storage/postgres/team-store.ts';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';

describeOnPostgres('Transactions that several stores share', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  let organizationId: number;
  const stores = () => ({
    teams: createTeamStore(database.db),
    projects: createProjectStore(database.db),
    audit: createAuditStore(database.db, database.transact),
  });
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
    organizationId = (await stores().projects.createOrganization({ slug: 'main', name: 'Main' })).id;
  });
  afterAll(async () => {
    await database?.drop();
  });

  const slugs = async () => (await stores().teams.list(organizationId)).map(({ slug }) => slug);
  const createTeam = (slug: string) => stores().teams.create(organizationId, { slug, name: slug });
  const createProject = (slug: string) =>
    stores().projects.createProject({
      organizationId,
      slug,
      name: slug,
      platform: null,
      isInternal: false,
    });

  test('what fails takes everything before it back, also what another store wrote in a transaction of its own', async () => {
    await expect(
      database.transact(async () => {
        await createTeam('undone');
        await createProject('undone');
        throw new Error('too late');
      }),
    ).rejects.toThrow('too late');
    expect(await slugs()).not.toContain('undone');
    expect(await stores().projects.findProject(organizationId, 'undone')).toBeNull();
  });

  test('others see nothing of it before the end', async () => {
    await database.transact(async () => {
      await createTeam('hidden');
      expect(await slugs()).toContain('hidden');
      const { rows } = await outside("SELECT FROM teams WHERE slug = 'hidden'");
      expect(rows).toHaveLength(0);
    });
    expect((await outside("SELECT FROM teams WHERE slug = 'hidden'")).rows).toHaveLength(1);
  });

  test('queries at the same time take turns, and one within another joins it', async () => {
    await database.transact(async () => {
      await Promise.all(['a', 'b', 'c'].map((slug) => createProject(`turn-${slug}`)));
      await database.transact(() => createTeam('turn'));
    });
    expect(await slugs()).toContain('turn');
    expect(await stores().projects.findProject(organizationId, 'turn-c')).not.toBeNull();
  });

  test('a refused nested transaction can be caught, and the rest stays', async () => {
    await createProject('taken');
    await database.transact(async () => {
      await createTeam('kept');
      await expect(createProject('taken')).rejects.toMatchObject({ code: 'conflict' });
    });
    expect(await slugs()).toContain('kept');
  });

  test('a failed statement that was swallowed does not pass for a success', async () => {
    await createTeam('twice');
    await expect(
      database.transact(async () => {
        await createTeam('lost');
        await createTeam('twice').catch(() => {});
      }),
    ).rejects.toThrow();
    expect(await slugs()).not.toContain('lost');
  });

  test('connections are given back, after success and after failure', async () => {
    for (let round = 0; round < 30; round++) {
      await database.transact(() => slugs());
      await database
        .transact(async () => {
          await slugs();
          throw new Error('no');
        })
        .catch(() => {});
    }
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  test('a change whose entry cannot be written does not happen', async () => {
    const entry = {
      organizationId: 987_654_321,
      at: 0,
      action: 'team.create',
      actor: { kind: 'system', userId: null, name: 'x', tokenId: null },
      ipAddress: null,
      target: { kind: 'team', id: null, name: 'unlogged' },
      data: {},
    } as const;
    await expect(
      stores().audit.record(
        () => createTeam('unlogged'),
        () => entry,
      ),
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
