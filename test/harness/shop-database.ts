import { chmodSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { createLog } from '#lib/log.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';
import { makeFastFolder } from './fast-folder.ts';

/** A PostgreSQL of its own with the articles and the orders of a shop, for programs that query one. */
export async function startShopDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const dataDir = makeFastFolder('errata-shop-');
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(dataDir, 0o755);
  const engine = await startEmbeddedPostgres({ dataDir, log: createLog('shop', 'error') });
  const client = new Client({ connectionString: engine.url });
  await client.connect();
  await client.query('CREATE TABLE articles (id integer PRIMARY KEY, name text, price integer)');
  await client.query('CREATE TABLE orders (article integer, total integer)');
  await client.query("INSERT INTO articles VALUES (1, 'tea', 12)");
  await client.end();
  return {
    url: engine.url,
    [Symbol.asyncDispose]: async () => {
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
