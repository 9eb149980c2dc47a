import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import { Inbox, isInboxEmpty, putIntoInbox } from '#storage/spool-files/inbox.ts';

test('what a killed import left half written keeps nobody waiting', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-inbox-'));
  const inbox = path.join(folder, 'inbox');
  mkdirSync(inbox, { recursive: true });
  writeFileSync(path.join(inbox, '1-a.tmp'), 'half');
  expect(await isInboxEmpty(folder)).toBe(true);
  await putIntoInbox(folder, [Buffer.from('one '), Buffer.from('record')]);
  expect(await isInboxEmpty(folder)).toBe(false);
  const taken: string[] = [];
  await new Inbox(folder).collect(async (record) => void taken.push(record.toString()));
  expect(taken).toEqual(['one record']);
  expect(await isInboxEmpty(folder)).toBe(true);
  // Its process may live.
  expect(readdirSync(inbox)).toEqual(['1-a.tmp']);
  const yesterday = new Date(Date.now() - DAY_MS);
  utimesSync(path.join(inbox, '1-a.tmp'), yesterday, yesterday);
  new Inbox(folder);
  expect(readdirSync(inbox)).toEqual([]);
  rmSync(folder, { recursive: true });
});
