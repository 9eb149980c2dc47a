import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBackupFolder } from './backup-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-backup-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what a volume has in its root is not entered, and what lies where backups do is listed', async () => {
  // Of the system's user alone: with another one, entering it fails.
  mkdirSync(join(folder, 'lost+found'));
  writeFileSync(join(folder, 'lost+found', '#12345'), 'of the file system');
  chmodSync(join(folder, 'lost+found'), 0);
  mkdirSync(join(folder, 'objects', 'ab'), { recursive: true });
  mkdirSync(join(folder, 'backups'));
  const names = ['.writing-12', 'backups/foreign', 'objects/ab/object', 'objects/foreign', 'readme'];
  for (const name of names) writeFileSync(join(folder, name), name);
  const listed = await openBackupFolder(folder).list();
  chmodSync(join(folder, 'lost+found'), 0o700);
  expect(listed).toEqual(names.map((name) => ({ name, bytes: name.length })));
});

test('a folder that is not there yet is empty', async () => {
  expect(await openBackupFolder(join(folder, 'none')).list()).toEqual([]);
});
