import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { CliDeps, RestorePlace } from '#cli/cli-command.ts';
import { backupRestore } from '#cli/commands/backups/backup-restore.ts';
import { conflict } from '#lib/errors.ts';
import { createBackup } from '#product/backups/create-backup.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import { makePlainParts } from './harness/plain-backup.ts';

const parts = makePlainParts();
afterAll(() => rmSync(parts.dataDir, { recursive: true }));
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-restore-command-'));
  await createBackup(parts, openBackupFolder(folder), { keys: null, now: Date.now, onProgress: () => {} });
  writeFileSync(path.join(folder, '.writing-1234'), 'half');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Into stores that end the restore at its first step, which is behind the verification. */
async function restore() {
  const told: string[] = [];
  const reached = async () => {
    throw conflict('The stores are reached');
  };
  const place = {
    parts: { relational: { describeContent: reached }, analytic: { describeContent: reached } },
    close: async () => {},
  } as unknown as RestorePlace;
  const deps = {
    io: { out: (line: string) => told.push(line), err: (line: string) => told.push(line) },
    backups: {
      openFolder: async (folder: string) => openBackupFolder(folder),
      readKeys: () => null,
      openRestorePlace: async () => place,
    },
  } as unknown as CliDeps;
  const input = {
    positionals: [],
    option: (name: string) => (name === 'folder' ? folder : undefined),
    isSet: () => false,
  };
  const end = await backupRestore.run(input, deps).catch((error: Error) => error.message);
  return { end, told: told.join('\n') };
}

test('a sound backup is restored beside what an interrupted one left, which is named', async () => {
  const { end, told } = await restore();
  expect(end).toBe('The stores are reached');
  expect(told).toContain('.writing-1234 belongs to no backup');
});

test('a damaged one is not', async () => {
  const [group = ''] = readdirSync(path.join(folder, 'objects'));
  const [object = ''] = readdirSync(path.join(folder, 'objects', group));
  appendFileSync(path.join(folder, 'objects', group, object), 'x');
  const { end, told } = await restore();
  expect(end).toBe(1);
  expect(told).toContain('is damaged and is not restored');
});
