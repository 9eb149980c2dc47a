import path from 'node:path';
import type { Stores, WebServices } from '#product/stores.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { openDiskArtifactFileStore } from '#storage/disk/artifact-file-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openDiskExportFiles } from '#storage/disk/export-files.ts';
import { createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import type { Connections } from '#storage/sql/connections.ts';
import { openInbox } from '../../src/main/open-inbox.ts';
import { storesOver as openStoresOver } from '../../src/main/open-stores.ts';

export const RETENTION_DAYS = 90;
const SECRET = 'fe5c1c0f4b1d4b7f9d8f4f6f2c6f0a3b9e7d5c3b1a';

/** Every store that the product has, over open databases and a folder. */
export const storesOver = (
  connections: Connections & { url: string },
  clickhouse: ClickhouseDatabase,
  folder: string,
  budgetBytes: number | null = null,
): Stores => openOver(connections, clickhouse, folder, budgetBytes).stores;

/** The same, with sign-in and without live changes. */
export function webStoresOver(
  connections: Connections & { url: string },
  clickhouse: ClickhouseDatabase,
  folder: string,
  publicUrl: string,
): WebServices {
  const authenticator = createAuthenticator({
    pool: connections.pool,
    secret: SECRET,
    publicUrl,
  });
  return openOver(connections, clickhouse, folder).storesWith(({ pool }) => ({
    authenticator: authenticator.over(pool),
    changes: { subscribe: () => () => {} },
  }));
}

const openOver = (
  connections: Connections & { url: string },
  clickhouse: ClickhouseDatabase,
  folder: string,
  diskBytesMax: number | null = null,
) =>
  openStoresOver(connections, clickhouse, elsewhere(folder), {
    dataDir: folder,
    diskBytesMax,
    retentionDays: RETENTION_DAYS,
    secret: SECRET,
    sessionUrl: connections.url,
  });

function elsewhere(dataDir: string) {
  const blobs = openDiskBlobStore(path.join(dataDir, 'blobs'));
  const kafkaAuth = { username: null, password: null, authority: null };
  return {
    blobs,
    artifactFiles: openDiskArtifactFileStore(path.join(dataDir, 'artifacts')),
    exportFiles: openDiskExportFiles(path.join(dataDir, 'exports')),
    inbox: openInbox({ dataDir, spool: null, kafkaAuth }, blobs),
  };
}
