import { randomInt } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BackupKeys, createBackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { createBackup } from '#product/backups/create-backup.ts';
import { listBackups, pruneBackups } from '#product/backups/list-backups.ts';
import { verifyBackup } from '#product/backups/verify-backup.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import { IS_FULL } from './harness/is-full.ts';
import { makePlainParts } from './harness/plain-backup.ts';

const KEYS = createBackupKeys('a phrase of the operator, long enough');
/** Backups that are damaged, in each of eight ways as often. */
const DAMAGED = IS_FULL ? 104 : 16;
const folders: string[] = [];
const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-backups-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const parts = makePlainParts();
folders.push(parts.dataDir);

function backUp(folder: string, keys: BackupKeys | null = null) {
  return createBackup(parts, openBackupFolder(folder), { keys, now: Date.now, onProgress: () => {} });
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .sort();

describe.each([
  ['encrypted', KEYS],
  ['not encrypted', null],
] as const)('a backup that is %s', (_name, keys) => {
  const sound = makeFolder();
  let id = '';
  beforeAll(async () => {
    id = (await backUp(sound, keys)).head.id;
  });
  const problemsOf = async (folder: string) => {
    const { problems, strays } = await verifyBackup(openBackupFolder(folder), id, keys);
    return [...problems, ...strays];
  };

  test('is sound as long as nothing is done to it', async () => {
    expect(await problemsOf(sound)).toEqual([]);
    const [listed] = await listBackups(openBackupFolder(sound));
    expect(listed).toMatchObject({ kind: 'sound', head: { events: 20, isEncrypted: keys !== null } });
  });

  test.runIf(keys)('tells nothing of its content when it is encrypted', () => {
    const everything = Buffer.concat(filesIn(sound).map((file) => readFileSync(file)));
    expect(everything.includes('ERRATA_RETENTION_DAYS')).toBe(false);
    expect(everything.includes('1\tone')).toBe(false);
  });

  test('is refused after any damage', { timeout: 120_000 }, async () => {
    const damages: Record<string, (file: string, folder: string) => void> = {
      'a changed byte': (file) => {
        const bytes = readFileSync(file);
        const at = randomInt(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8));
        writeFileSync(file, bytes);
      },
      'a cut': (file) => truncateSync(file, randomInt(statSync(file).size)),
      'bytes behind the end': (file) => appendFileSync(file, Buffer.alloc(1 + randomInt(50), randomInt(256))),
      'a missing file': (file) => unlinkSync(file),
      'a foreign file': (file) => writeFileSync(`${file}.copy`, 'foreign'),
      'a file in the place of another': (file, folder) => {
        const other = filesIn(folder).find((one) => one !== file)!;
        copyFileSync(other, file);
      },
      'two files exchanged': (file, folder) => {
        const other = filesIn(folder).findLast((one) => one !== file)!;
        renameSync(file, `${file}.x`);
        renameSync(other, file);
        renameSync(`${file}.x`, other);
      },
      'zeros in the middle': (file) => {
        const bytes = readFileSync(file);
        const before = Buffer.from(bytes);
        const at = randomInt(bytes.length);
        bytes.fill(0, at, Math.min(bytes.length, at + 64));
        if (bytes.equals(before)) bytes[at] = 1;
        writeFileSync(file, bytes);
      },
    };
    const kinds = Object.entries(damages);
    const missed: string[] = [];
    for (let round = 0; round < DAMAGED; round++) {
      const folder = makeFolder();
      cpSync(sound, folder, { recursive: true });
      const files = filesIn(folder);
      const file = files[randomInt(files.length)]!;
      const [kind, damage] = kinds[round % kinds.length]!;
      damage(file, folder);
      if ((await problemsOf(folder)).length === 0) missed.push(`${kind}: ${path.relative(folder, file)}`);
      rmSync(folder, { recursive: true });
    }
    expect(missed).toEqual([]);
  });
});

test('without its key the stored files are compared all the same', async () => {
  const folder = makeFolder();
  const { head } = await backUp(folder, KEYS);
  const target = openBackupFolder(folder);
  expect(await verifyBackup(target, head.id, null)).toMatchObject({ problems: [], hasOpened: false });
  const object = filesIn(path.join(folder, 'objects'))[0]!;
  appendFileSync(object, 'x');
  expect((await verifyBackup(target, head.id, null)).problems).toHaveLength(1);
});

test('what an earlier backup has is not copied again, and goes with the last one that needs it', async () => {
  const folder = makeFolder();
  const target = openBackupFolder(folder);
  const first = await backUp(folder, KEYS);
  parts.addBlob('d+z');
  const second = await backUp(folder, KEYS);
  // The new blob with its index, and what waits in the spool.
  expect(second.head.newBytes).toBeLessThan(first.head.newBytes / 2);
  const shared = first.head.objects.filter(([object]) =>
    second.head.objects.some(([other]) => other === object),
  );
  expect(shared.length).toBeGreaterThanOrEqual(5);
  expect(await pruneBackups(target, { keep: 1, removesDamaged: false })).toMatchObject({
    removed: [first.head.id],
    files: first.head.objects.length - shared.length,
    heldBack: null,
  });
  expect((await verifyBackup(target, second.head.id, KEYS)).problems).toEqual([]);
  expect(await listBackups(target)).toHaveLength(1);
});

test('a backup that is not encrypted uses nothing of one that is, nor the other way', async () => {
  const folder = makeFolder();
  const one = await backUp(folder, KEYS);
  const other = await backUp(folder, null);
  expect(other.head.objects.some(([object]) => one.head.objects.some(([each]) => each === object))).toBe(
    false,
  );
});

test('a backup that fails leaves no file, and what a killed one left is removed by the next', async () => {
  const folder = makeFolder();
  const target = openBackupFolder(folder);
  const broken = {
    ...parts,
    analytic: {
      begin: async () => {
        const begun = await parts.analytic.begin();
        return {
          ...begun,
          hold: async () => ({
            ...(await begun.hold(() => false)),
            async *read(): AsyncGenerator<Buffer> {
              yield Buffer.from('half');
              throw new Error('The store went away');
            },
          }),
        };
      },
    },
  };
  const options = { keys: null, now: Date.now, onProgress: () => {} };
  await expect(createBackup(broken, target, options)).rejects.toThrow('went away');
  expect(filesIn(folder)).toEqual([]);
  writeFileSync(path.join(folder, '.writing-1234'), 'half');
  await backUp(folder);
  expect(existsSync(path.join(folder, '.writing-1234'))).toBe(false);
});

test('two backups into one folder do not meet', async () => {
  const folder = makeFolder();
  const held = await openBackupFolder(folder).lock();
  await expect(backUp(folder)).rejects.toThrow('Another backup is being written');
  await held.release();
  await backUp(folder);
});

test('with a damaged backup in the folder, no file is removed until that one is', async () => {
  const folder = makeFolder();
  const target = openBackupFolder(folder);
  const first = await backUp(folder);
  await backUp(folder);
  writeFileSync(path.join(folder, 'backups', first.head.id), 'garbage');
  expect(await pruneBackups(target, { keep: 1, removesDamaged: false })).toMatchObject({
    removed: [],
    files: 0,
    heldBack: expect.stringContaining(first.head.id),
  });
  expect(await pruneBackups(target, { keep: 1, removesDamaged: true })).toMatchObject({
    removed: [first.head.id],
    heldBack: null,
  });
});

test('what else lies in the folder is named, and no damage of a backup that needs nothing of it', async () => {
  const folder = makeFolder();
  const target = openBackupFolder(folder);
  const first = await backUp(folder, KEYS);
  const { head } = await backUp(folder, null);
  expect(await verifyBackup(target, head.id, null)).toMatchObject({ problems: [], strays: [] });
  // As a server leaves them that dies while it writes a backup.
  const left = path.join(folder, 'objects/ab', `ab${'0'.repeat(62)}`);
  mkdirSync(path.dirname(left), { recursive: true });
  for (const file of [left, path.join(folder, '.writing-1234')]) writeFileSync(file, 'half');
  const beside = await verifyBackup(target, head.id, null);
  expect(beside.problems).toEqual([]);
  expect(beside.strays).toEqual([
    expect.stringContaining('The file .writing-1234 belongs to no backup'),
    expect.stringContaining(`The file objects/ab/ab${'0'.repeat(62)} belongs to no backup`),
  ]);
  writeFileSync(path.join(folder, 'backups', first.head.id), 'garbage');
  const besideDamaged = await verifyBackup(target, head.id, null);
  expect(besideDamaged.problems).toEqual([]);
  expect(besideDamaged.strays).toEqual([
    `The backup ${first.head.id} in the same folder is damaged`,
    expect.stringContaining('.writing-1234'),
  ]);
});
