import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyAdmission } from '#domain/projects.ts';
import { createLog } from '#lib/log.ts';
import { KeyTable } from './key-table.ts';

const log = createLog('test', 'silent');
const key: KeyAdmission = {
  keyId: 1,
  projectId: 2,
  organizationId: 3,
  publicKey: 'a'.repeat(32),
  isActive: true,
  isInternal: false,
  quotas: [
    {
      id: 'key:1:60:',
      scope: 'key',
      ownerId: 1,
      categories: [],
      limit: 5,
      windowSeconds: 60,
      reasonCode: 'key_quota',
    },
  ],
};
const away = {
  listAdmissions: async () => {
    throw new Error('away');
  },
  findAdmission: async () => {
    throw new Error('away');
  },
};

const forever = new Promise<never>(() => {});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-table-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('limits are in the file too, for when the store is away', async () => {
  const file = join(folder, 'keys.json');
  const told: KeyAdmission[] = [];
  const table = new KeyTable(
    { listAdmissions: async () => [key], findAdmission: async () => null },
    file,
    log,
    async (keys) => {
      told.push(...keys);
    },
  );
  await table.start();
  table.stop();
  expect(told).toEqual([key]);

  const later = new KeyTable(away, file, log);
  await later.start();
  later.stop();
  expect(later.find(key.publicKey)).toEqual({ kind: 'found', key });
});

test('a file of a version before the limits is read as without any', async () => {
  const file = join(folder, 'keys.json');
  const { quotas: _, ...former } = key;
  writeFileSync(file, JSON.stringify([former]));
  const table = new KeyTable(away, file, log);
  await table.start();
  table.stop();
  expect(table.find(key.publicKey)).toEqual({ kind: 'found', key: { ...key, quotas: [] } });
});

test('a store that hangs delays neither the start nor the answer; a key of the copy counts, of any other nobody can say', async () => {
  const file = join(folder, 'keys.json');
  writeFileSync(file, JSON.stringify([key]));
  const hangs = { listAdmissions: () => forever, findAdmission: () => forever };
  const table = new KeyTable(hangs, file, log, undefined, 50);
  await table.start();
  table.stop();
  expect(table.find(key.publicKey)).toEqual({ kind: 'found', key });
  // More than are looked up at once.
  const lookups = Array.from({ length: 30 }, (_, index) => table.find(`unknown-${index}`));
  for (const lookup of lookups) expect(await lookup).toEqual({ kind: 'unavailable' });
});
