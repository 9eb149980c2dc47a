import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
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

test('a lock is held until it is released', async () => {
  const target = openBackupFolder(folder);
  const held = await target.lock();
  await expect(openBackupFolder(folder).lock()).rejects.toThrow('Another backup is being written');
  await held.release();
  await (await target.lock()).release();
});

test.each([
  ['has ended', { pid: 2 ** 22 + 1 }],
  ['had the id of this one, in a container that was started again', { pid: process.pid, begun: 1 }],
  ['had the id of another one that runs now', { pid: process.ppid, begun: 1 }],
  ['was of a version that did not note when it began, with the id of this one', { pid: process.pid }],
])('a lock whose process %s holds nothing', async (_name, owner) => {
  writeFileSync(join(folder, 'lock'), JSON.stringify({ ...owner, host: hostname() }));
  await (await openBackupFolder(folder).lock()).release();
});

test.each([
  ['ran on another machine', { pid: process.pid, host: 'elsewhere', begun: 1 }],
  ['may run, of a version that did not note when it began', { pid: process.ppid, host: hostname() }],
])('a lock whose process %s is respected', async (_name, owner) => {
  writeFileSync(join(folder, 'lock'), JSON.stringify(owner));
  await expect(openBackupFolder(folder).lock()).rejects.toThrow('Another backup is being written');
});
