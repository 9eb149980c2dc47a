import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { unavailable } from '#lib/errors.ts';
import { findZipFile, openZip, type ZipLimits } from '#lib/zip-archive.ts';
import type { ZipSource } from '#lib/zip-member.ts';
import { testInFull } from './harness/is-full.ts';
import { BUNDLE_HEAD, makeZip, type ZipFileInput, type ZipOptions } from './harness/make-zip.ts';

const MIB = 1024 * 1024;
const LIMITS: ZipLimits = { entriesMax: 100, directoryBytesMax: MIB, bytesMax: 64 * MIB };

const sourceOf = (bytes: Buffer): ZipSource => ({
  bytes: bytes.length,
  read: async (from, to) => {
    if (!(from >= 0 && from <= to && to <= bytes.length)) throw new Error(`${from} to ${to} is outside`);
    return Buffer.from(bytes.subarray(from, to));
  },
});
const open = (bytes: Buffer, limits = LIMITS) => openZip(sourceOf(bytes), limits);
const opened = (files: readonly ZipFileInput[], options: ZipOptions = {}) => open(makeZip(files, options));
async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const collected: Buffer[] = [];
  for await (const piece of pieces) collected.push(piece);
  return collected;
}
const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid', message: expect.stringMatching(message) });

const APP = { name: 'files/_/_/app.js', content: 'throw 1;'.repeat(100) };
const MAP = { name: 'files/_/_/app.js.map', content: '{}', method: 0 };

describe('an archive that is one', () => {
  test.each([
    ['alone', {}],
    ["behind the head of Sentry's bundles", { prefix: BUNDLE_HEAD }],
    ['with a comment', { comment: 'made by a test' }],
    ['with ends of both formats', { zip64: {} }],
  ])('is read file by file: %s', async (_, options) => {
    const archive = await opened([APP, MAP, { name: 'files/', content: '', mode: 0o040755 }], options);
    expect([...archive.entries.values()].map(({ name, bytes }) => [name, bytes])).toEqual([
      [APP.name, 800],
      [MAP.name, 2],
    ]);
    expect((await archive.read(APP.name, 800)).toString()).toBe(APP.content);
    expect((await archive.read(MAP.name, MIB)).toString()).toBe('{}');
  });

  test('may hold nothing, empty files, and names of every script', async () => {
    expect((await opened([])).entries.size).toBe(0);
    const archive = await opened([{ name: 'файл/文件 é.js', content: '' }]);
    expect((await archive.read('файл/文件 é.js', 0)).length).toBe(0);
  });

  testInFull('has thousands of files whose directory is longer than one stretch', async () => {
    const files = Array.from({ length: 5_000 }, (_, index) => ({
      name: `files/_/_/${'deep/'.repeat(12)}${index}.js`,
      content: `${index}`,
    }));
    const archive = await open(makeZip(files), { ...LIMITS, entriesMax: 5_000 });
    expect(archive.entries.size).toBe(5_000);
    expect((await archive.read(files[4_321]?.name ?? '', 10)).toString()).toBe('4321');
  });

  test('answers what it does not have, and what is larger than asked for, with an error', async () => {
    const archive = await opened([APP]);
    await expect(archive.read('files/_/_/other.js', MIB)).rejects.toEqual(invalid(/no file "files/));
    await expect(archive.read(APP.name, 799)).rejects.toEqual(invalid(/800 bytes: the limit is 799/));
  });
});

describe('an archive is refused', () => {
  test.each([
    ['a name that leads out', '../app.js', /points outside/],
    ['a name that leads out in the middle', 'files/../../app.js', /points outside/],
    ['an absolute name', '/etc/passwd', /absolute/],
    ['an absolute name of Windows', 'C:/app.js', /absolute/],
    ['a backslash', 'files\\app.js', /backslash/],
    ['a name with a null', 'files/app\0.js', /control/],
    ['a name that is no UTF-8', Buffer.from([0x66, 0xff, 0xfe]), /not UTF-8/],
    ['a name without characters', '', /0 bytes/],
    ['a name without an end', 'a'.repeat(5_000), /5000 bytes/],
  ])('with %s', async (_, name, message) => {
    await expect(opened([{ name, content: 'x' }])).rejects.toEqual(invalid(message));
  });

  test.each<[string, readonly ZipFileInput[], RegExp]>([
    ['a symbolic link', [{ ...APP, mode: 0o120777 }], /link or a device/],
    ['a device', [{ ...APP, mode: 0o020666 }], /link or a device/],
    ['the same name twice', [APP, APP], /twice/],
    ['an encrypted file', [{ ...APP, flags: 1 }], /encrypted/],
    ['a strongly encrypted file', [{ ...APP, flags: 0x41 }], /encryption/],
    ['a method that nobody reads', [{ ...APP, method: 93 }], /method 93/],
    ['files on each other', [APP, { ...APP, name: 'b.js', sharesBytesOf: 0 }, MAP], /overlaps/],
    ['a file beyond the end', [{ ...APP, lies: { offset: 5_000_000 } }], /within the archive/],
    ['a file in the directory', [{ ...APP, lies: { compressedBytes: 700 } }], /within the archive/],
    [
      'a small file in many bytes',
      [{ name: 'a', content: randomBytes(4_096), lies: { bytes: 1 } }],
      /within/,
    ],
    ['a folder with bytes', [{ name: 'files/', content: 'x' }], /folder that contains/],
  ])('with %s', async (_, files, message) => {
    await expect(opened(files)).rejects.toEqual(invalid(message));
  });

  test.each<[string, ZipOptions, RegExp]>([
    ['fewer files than it has', { entryCount: 1 }, /more entries than declared/],
    ['more files than it has', { entryCount: 3 }, /readable zip archive/],
    ['a directory elsewhere', { directoryOffset: 4 }, /readable zip archive/],
    ['a directory beyond its end', { directoryOffset: 0xfffffff0 }, /readable zip archive/],
    ['countless files', { zip64: { entryCount: 1n << 40n } }, /files: at most 100/],
    ['an end beyond its end', { zip64: { endOffset: 1n << 50n } }, /readable zip archive/],
    ['a far directory', { zip64: { directoryOffset: 1n << 62n } }, /readable zip archive/],
  ])('that says %s', async (_, options, message) => {
    await expect(opened([APP, MAP], options)).rejects.toEqual(invalid(message));
  });

  test('that is none, or only a part of one', async () => {
    const whole = makeZip([APP, MAP]);
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), randomBytes(4_096), whole.subarray(0, -1)]) {
      await expect(open(bytes)).rejects.toEqual(invalid(/readable zip archive/));
    }
    await expect(open(Buffer.concat([whole, Buffer.from('more')]))).rejects.toEqual(
      invalid(/readable zip archive/),
    );
  });

  test('that has too many files, or too many bytes in them', async () => {
    await expect(open(makeZip([APP, MAP]), { ...LIMITS, entriesMax: 1 })).rejects.toEqual(
      invalid(/at most 1/),
    );
    await expect(open(makeZip([APP, MAP]), { ...LIMITS, bytesMax: 801 })).rejects.toEqual(
      invalid(/more than 801 bytes/),
    );
  });

  test('whose names alone would fill the memory', async () => {
    const files = Array.from({ length: 100 }, (_, index) => ({
      name: `${index}`.padEnd(4_000, 'x'),
      content: '',
    }));
    expect((await open(makeZip(files))).entries.size).toBe(100);
    const small = { ...LIMITS, directoryBytesMax: 400_000 };
    await expect(open(makeZip(files), small)).rejects.toEqual(invalid(/directory .* 400000 bytes/));
    await expect(findZipFile(sourceOf(makeZip(files)), small, 'x')).rejects.toEqual(invalid(/directory/));
  });

  test('that unpacks to far more than its size', async () => {
    const bomb = makeZip([{ name: 'zeros', content: Buffer.alloc(32 * MIB) }]);
    expect(bomb.length).toBeLessThan(64 * 1024);
    await expect(open(bomb)).rejects.toEqual(invalid(/250 times/));
  });
});

describe('a file of an archive is refused when it is read', () => {
  test.each<[string, ZipFileInput, RegExp]>([
    ['more bytes than it says', { ...APP, lies: { bytes: 799 } }, /damaged/],
    ['fewer bytes than it says', { ...APP, lies: { bytes: 801 } }, /damaged/],
    ['other bytes', { ...APP, lies: { crc32: 1 } }, /damaged/],
    ['another name in front of it', { ...APP, localName: 'files/_/_/bad.js' }, /is not where/],
    ['padding that is another file', { ...APP, localExtraBytes: 60_000 }, /is not where/],
  ])('with %s', async (_, file, message) => {
    const archive = await opened([file, MAP]);
    await expect(archive.read(APP.name, MIB)).rejects.toEqual(invalid(message));
    await expect(collect(archive.pieces(APP.name, MIB))).rejects.toEqual(invalid(message));
    expect((await archive.read(MAP.name, MIB)).toString()).toBe('{}');
  });

  test('bytes that are no deflate', async () => {
    const bytes = makeZip([APP]);
    bytes.fill(0xff, 30 + APP.name.length, 40 + APP.name.length);
    const archive = await open(bytes);
    await expect(archive.read(APP.name, MIB)).rejects.toEqual(invalid(/cannot be unpacked/));
    await expect(collect(archive.pieces(APP.name, MIB))).rejects.toEqual(invalid(/cannot be unpacked/));
  });
});

describe('a file of an archive', () => {
  const LARGE = { name: 'large.txt', content: randomBytes(3 * MIB) };
  const ZEROS = { name: 'zeros', content: Buffer.alloc(3 * MIB) };
  const STORED = { ...LARGE, name: 'stored.bin', method: 0 };
  const whole = makeZip([APP, LARGE, STORED, ZEROS]);

  test.each([LARGE, STORED, ZEROS])('is read in pieces, of which none is large: $name', async (file) => {
    const pieces = await collect((await open(whole)).pieces(file.name, 3 * MIB));
    expect(Buffer.concat(pieces).equals(file.content)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
  });

  test('never gives more than it says, and nothing when that is more than asked for', async () => {
    const lying = { ...ZEROS, lies: { bytes: MIB } };
    let given = 0;
    const read = async () => {
      for await (const piece of (await opened([lying])).pieces('zeros', MIB)) given += piece.length;
    };
    await expect(read()).rejects.toEqual(invalid(/damaged/));
    expect(given).toBeLessThanOrEqual(MIB);
    await expect(collect((await open(whole)).pieces(LARGE.name, MIB))).rejects.toEqual(
      invalid(/the limit is/),
    );
  });

  test('is found alone, with the same checks', async () => {
    for (const name of [APP.name, LARGE.name, STORED.name]) {
      const found = await findZipFile(sourceOf(whole), LIMITS, name);
      expect((await found?.read(3 * MIB))?.equals((await (await open(whole)).read(name, 3 * MIB))!)).toBe(
        true,
      );
    }
    expect(await findZipFile(sourceOf(whole), LIMITS, 'other')).toBeNull();
    expect(await findZipFile(sourceOf(makeZip([])), LIMITS, 'other')).toBeNull();
    await expect((await findZipFile(sourceOf(whole), LIMITS, APP.name))?.read(799)).rejects.toEqual(
      invalid(/the limit is 799/),
    );
    await expect(findZipFile(sourceOf(makeZip([APP, APP])), LIMITS, APP.name)).rejects.toEqual(
      invalid(/twice/),
    );
    const overlong = makeZip([{ ...APP, localExtraBytes: 60_000 }, STORED]);
    await expect((await findZipFile(sourceOf(overlong), LIMITS, APP.name))?.read(MIB)).rejects.toEqual(
      invalid(/is not where/),
    );
  });
});

test('a disk that fails is no fault of the archive', async () => {
  const source = { bytes: 1_000, read: async () => Promise.reject(unavailable('The disk is away')) };
  await expect(openZip(source, LIMITS)).rejects.toMatchObject({ code: 'unavailable' });
});
