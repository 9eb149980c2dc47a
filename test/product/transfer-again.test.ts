import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import type { RecordOf, TransferRecord } from '#product/transfer/records.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { openProduct, type Product } from './open-product.ts';
import { type Installation, openInstallation, sourceOf } from './transfer-scene.ts';

let product: Product;
let installation: Installation;
/** An organization of its own for each test. */
let slug: string;
let organizationId: number;
let tests = 0;

beforeAll(async () => {
  product = await openProduct();
  installation = await openInstallation(product);
}, 120_000);
afterAll(async () => {
  await installation?.close();
  await product?.close();
});
beforeEach(async () => {
  tests += 1;
  slug = `again-${tests}`;
  ({ id: organizationId } = await product.stores.projects.createOrganization({ slug, name: slug }));
});

const BASE_MS = Date.now() - 20 * DAY_MS;

const organization = (): RecordOf<'organization'> => ({
  kind: 'organization',
  id: '1',
  slug,
  name: slug,
  isOpen: true,
});
const PROJECT: RecordOf<'project'> = {
  kind: 'project',
  id: '1',
  number: 4_711,
  slug: 'web',
  name: 'Web',
  platform: 'node',
  teams: [],
  keys: [],
  createdAt: null,
  fingerprintRules: null,
  stackTraceRules: null,
  ownershipRules: null,
};

/** All that a source has, in the order in which it is read. */
const source = (...records: readonly TransferRecord[]) => sourceOf([organization(), PROJECT, ...records]);
const select = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await statement.execute(product.db)).rows;

describe('a batch', () => {
  test('is of at most 50 days, which are parts of their own on disk', async () => {
    const rows = Array.from({ length: 60 }, (_, day): TransferRecord => {
      const row = makeRow('logs', { organizationId: 1, projectId: 1, receivedAt: BASE_MS - day * DAY_MS });
      return { kind: 'row', project: '1', table: 'logs', row: { ...row }, file: null };
    });
    const { counts } = await installation.run({
      ...source(),
      async *read() {
        yield* [organization(), PROJECT, ...rows];
      },
    });
    expect(counts.row).toEqual({ created: 60 });
    const batches = await select(sql<{ count: number }>`
      SELECT count(*)::int AS count FROM transfer_items JOIN transfers ON transfers.id = transfer_id
      WHERE organization_id = ${organizationId} AND kind = 'row'`);
    expect(batches).toEqual([{ count: 2 }]);
  }, 60_000);
});
