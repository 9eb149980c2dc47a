import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArtifactStore } from '#product/artifacts/store/artifact-store.ts';
import { createArtifactFeed, createNotifyFeed, ListenConnection } from '#storage/postgres/feeds.ts';
import { describeOnPostgres, testLog } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';

const WAIT = { timeout: 10_000, interval: 50 };

describeOnPostgres('ArtifactFeed', (engine) => {
  let stores: PostgresStores;
  let feed: ReturnType<typeof createArtifactFeed>;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    feed = createArtifactFeed({ url: stores.database.url, log: testLog });
  });
  afterAll(async () => {
    await feed?.close();
    await stores?.database.drop();
  });

  const mapping = (projectId: number) => ({
    projectId,
    debugId: '11111111-2222-3333-4444-555555555555',
    checksum: 'a'.repeat(40),
    kind: 'proguard' as const,
    arch: null,
    name: 'mapping.txt',
    bytes: 1,
    uploadedAt: 1_000,
  });

  test('says that anything may have come when it begins to listen, and then which organization', async () => {
    const told: (number | null)[] = [];
    const stop = feed.subscribe((organizationId) => told.push(organizationId));
    await expect.poll(() => told, WAIT).toEqual([null]);
    const artifacts = createArtifactStore(stores.database.db);
    const { organizationId, projectId } = await stores.createTenant();
    const file = await artifacts.saveDeobfuscationFile(organizationId, mapping(projectId));
    await expect.poll(() => told, WAIT).toEqual([null, organizationId]);
    await artifacts.deleteDeobfuscationFile(organizationId, projectId, file.id);
    await expect.poll(() => told, WAIT).toEqual([null, organizationId, organizationId]);
    stop();
    await artifacts.saveDeobfuscationFile(organizationId, mapping(projectId));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(told).toHaveLength(3);
  });

  test('feeds that share a connection are each told of their own channel', async () => {
    const url = stores.database.url;
    const connection = new ListenConnection({ url, log: testLog });
    const told: string[] = [];
    const feedOf = (channel: string) => createNotifyFeed({ url, log: testLog, connection, channel });
    const first = feedOf('first_channel');
    const second = feedOf('second_channel');
    first.subscribe(() => told.push('first_channel'));
    second.subscribe(() => told.push('second_channel'));
    await expect.poll(() => told, WAIT).toEqual(['first_channel', 'second_channel']);
    await stores.database.pool.query("SELECT pg_notify('second_channel', '')");
    await expect.poll(() => told.slice(2), WAIT).toEqual(['second_channel']);
    expect(() => feedOf('third_channel')).toThrow(/too late/);
    await connection.close();
  });

  test('listens again after its connection broke', async () => {
    const told: (number | null)[] = [];
    const stop = feed.subscribe((organizationId) => told.push(organizationId));
    await stores.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN %' AND pid <> pg_backend_pid()`,
    );
    await expect.poll(() => told, WAIT).toEqual([null]);
    stop();
  });
});
