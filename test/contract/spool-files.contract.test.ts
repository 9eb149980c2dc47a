import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import type { SpoolReader, SpoolWriter } from '#storage/ports/spool.ts';
import { putIntoInbox } from '#storage/spool-files/inbox.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { readOldestWaiting } from '#storage/spool-files/read-oldest-waiting.ts';
import { isRenewalPending, openSpoolRenewal } from '#storage/spool-files/renewal.ts';
import { FRAME_HEAD_BYTES, SEGMENT_HEAD_BYTES, writeFrame } from '#storage/spool-files/segment.ts';
import { HeadFile } from '#storage/spool-files/spool-figures.ts';
import { openFilesToWrite, openSpoolToRead } from '../../src/main/open-spool.ts';
import { testInFull } from '../harness/is-full.ts';
import { until } from '../harness/until.ts';
import { openOldSpoolWriter } from './old-spool-writer.ts';

const ALL = { records: 100_000, bytes: 1e9 };
const MB = 1024 * 1024;
const log = createLog('spool', 'silent');

let folder: string;
const open: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(opened: T): T => {
  open.push(opened);
  return opened;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-spool-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((opened) => opened.close()));
  rmSync(folder, { recursive: true, force: true });
});

const texts = (reader: SpoolReader, after = 0) =>
  reader.read(after, ALL).map(({ position, bytes }) => [position, Buffer.from(bytes).toString()]);
const appendAll = async (writer: SpoolWriter, list: readonly string[]) => {
  for (const text of list) await writer.append([Buffer.from(text)]);
};
const segmentFiles = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith('segment-'))
    .sort();
const lastSegment = () => join(folder, segmentFiles().at(-1) ?? '');
const frame = (position: number, text: string): Buffer => {
  const bytes = Buffer.alloc(FRAME_HEAD_BYTES + text.length);
  writeFrame(bytes, 0, position, [Buffer.from(text)]);
  return bytes;
};
const endOfFrames = (list: readonly string[]) =>
  list.reduce((sum, text) => sum + FRAME_HEAD_BYTES + text.length, SEGMENT_HEAD_BYTES);
const writeAt = (path: string, bytes: Uint8Array, offset: number) =>
  writeSync(openSync(path, 'r+'), bytes, 0, bytes.length, offset);

describe('when digested records must be gone from disk', () => {
  const holds = (text: string) =>
    readdirSync(folder).some(
      (name) => statSync(join(folder, name)).isFile() && readFileSync(join(folder, name)).includes(text),
    );

  test('every file that held them is given up, and what waits is kept', async () => {
    const writer = keep(openSpoolWriter(folder, MB, { segmentBytes: 50_000 }));
    const reader = keep(openSpoolReader(folder));
    await appendAll(writer, ['ann one', 'x'.repeat(49_000), 'ann two', 'waits']);
    await reader.acknowledge(3);
    expect(holds('ann')).toBe(true);
    await openSpoolRenewal(folder).ask();
    await delay(1_000);
    // A file with a record that waits stays, and so does the request.
    expect([isRenewalPending(folder), texts(reader, 3)]).toEqual([true, [[4, 'waits']]]);
    await appendAll(writer, ['later']);
    expect(texts(reader, 3)).toEqual([
      [4, 'waits'],
      [5, 'later'],
    ]);
    await reader.acknowledge(4);
    await until('the files are gone', () => !isRenewalPending(folder));
    expect([holds('ann'), holds('waits'), texts(reader, 4)]).toEqual([false, false, [[5, 'later']]]);
  });

  test('an idle spool ends in an empty file, from which the next writer goes on', async () => {
    const writer = openSpoolWriter(folder, MB, { segmentBytes: 50_000 });
    const reader = keep(openSpoolReader(folder));
    await appendAll(writer, ['ann']);
    reader.read(0, ALL);
    await reader.acknowledge(1);
    await openSpoolRenewal(folder).ask();
    await until('the files are gone', () => !isRenewalPending(folder));
    expect(holds('ann')).toBe(false);
    await writer.close();
    const next = keep(openSpoolWriter(folder, MB, { segmentBytes: 50_000 }));
    expect(await next.append([Buffer.from('bob')])).toBe(2);
    expect(texts(reader, 1)).toEqual([[2, 'bob']]);
  });
});

describe('after a crash', () => {
  test('a record that was written in part is cut off, and its position is given again', async () => {
    const writer = openSpoolWriter(folder, MB);
    await appendAll(writer, ['one', 'two']);
    await writer.close();
    const torn = frame(3, 'three, of which the end is missing');
    writeAt(lastSegment(), torn.subarray(0, torn.length - 5), endOfFrames(['one', 'two']));
    const again = keep(openSpoolWriter(folder, MB));
    expect(await again.append([Buffer.from('new')])).toBe(3);
    expect(texts(keep(openSpoolReader(folder)))).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'new'],
    ]);
  });

  test('a whole record behind a torn one is not taken for one that was kept', async () => {
    const writer = openSpoolWriter(folder, MB);
    await appendAll(writer, ['one']);
    await writer.close();
    const torn = frame(2, 'xxx');
    torn[torn.length - 1] = 0;
    writeAt(lastSegment(), Buffer.concat([torn, frame(3, 'never answered')]), endOfFrames(['one']));
    const again = keep(openSpoolWriter(folder, MB));
    // As long as the torn one: what lies behind it would fit on.
    expect(await again.append([Buffer.from('two')])).toBe(2);
    const reader = keep(openSpoolReader(folder));
    expect(texts(reader)).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    expect(await again.append([Buffer.from('three')])).toBe(3);
    expect(texts(reader, 2)).toEqual([[3, 'three']]);
  });

  test('records that were synced but not yet told to the reader are found', async () => {
    const writer = openSpoolWriter(folder, MB);
    await appendAll(writer, ['one', 'two', 'three']);
    await writer.close();
    const heads = new HeadFile(folder);
    const head = heads.read();
    if (!head) throw new Error('no head');
    heads.write({ ...head, position: 1, offset: endOfFrames(['one']) });
    heads.close();
    const reader = keep(openSpoolReader(folder));
    expect(texts(reader)).toEqual([[1, 'one']]);
    const again = keep(openSpoolWriter(folder, MB));
    expect(texts(reader).map(([position]) => position)).toEqual([1, 2, 3]);
    expect(await again.append([Buffer.from('four')])).toBe(4);
  });

  test('the reader is never given what the writer has not told to be synced', async () => {
    const writer = keep(openSpoolWriter(folder, MB));
    await appendAll(writer, ['one']);
    const reader = keep(openSpoolReader(folder));
    writeAt(lastSegment(), frame(2, 'two'), endOfFrames(['one']));
    expect(texts(reader)).toEqual([[1, 'one']]);
    expect(reader.depth()).toBe(1);
  });

  test('all is found without the files that hold no record', async () => {
    const writer = openSpoolWriter(folder, MB, { segmentBytes: 4_200 });
    await appendAll(writer, ['one', 'x'.repeat(100), 'three']);
    const reader = openSpoolReader(folder);
    expect(reader.read(0, ALL)).toHaveLength(3);
    await reader.acknowledge(1);
    const waiting = () => keep(openSpoolWriter(folder, MB)).sizeBytes();
    await Promise.all([writer.close(), reader.close()]);
    for (const name of ['synced', 'acknowledged']) rmSync(join(folder, name));
    expect(waiting()).toBeGreaterThanOrEqual(105);
    const again = keep(openSpoolReader(folder));
    expect(texts(again).map(([position]) => position)).toEqual([1, 2, 3]);
    // As digest does at its start, by what the relational store says.
    await again.acknowledge(2);
    expect(texts(again)).toEqual([[3, 'three']]);
    await expect.poll(waiting).toBe(FRAME_HEAD_BYTES + 'three'.length);
  });

  test('a position that was counted is not given again, even when its record is lost', async () => {
    const writer = openSpoolWriter(folder, MB);
    await appendAll(writer, ['one', 'two', 'three']);
    const reader = keep(openSpoolReader(folder));
    await reader.acknowledge(3);
    await writer.close();
    for (const name of segmentFiles()) rmSync(join(folder, name));
    rmSync(join(folder, 'synced'));
    const again = keep(openSpoolWriter(folder, MB));
    expect(await again.append([Buffer.from('four')])).toBe(4);
    expect(texts(keep(openSpoolReader(folder)))).toEqual([[4, 'four']]);
    const further = keep(openSpoolReader(folder));
    await further.acknowledge(10);
    await expect.poll(async () => await again.append([Buffer.from('eleven')])).toBeGreaterThan(10);
  });

  testInFull('kill -9 at any moment loses no record that was answered, and tears none', async () => {
    const answered = new Set<number>();
    const reader = keep(openSpoolReader(folder));
    const found = new Map<number, number>();
    let position = 0;
    const drain = async () => {
      for (const record of reader.read(position, ALL)) {
        const text = Buffer.from(record.bytes).toString();
        const number = Number.parseInt(text, 10);
        expect(record.position).toBe(position + 1);
        expect(text).toBe(`${number} ${'x'.repeat(100 + ((number * 7919) % 6_000))}`);
        found.set(number, (found.get(number) ?? 0) + 1);
        position = record.position;
      }
      await reader.acknowledge(position);
    };
    for (let round = 0; round < 6; round++) {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'programs/append-forever.ts'), folder, String(1 + round * 1_000_000)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await expect.poll(() => output.length, { timeout: 20_000 }).toBeGreaterThan(0);
      for (let turn = 0; turn < 5 + round; turn++) {
        await delay(20 + Math.random() * 30);
        await drain();
      }
      child.kill('SIGKILL');
      await ended;
      for (const line of output.split('\n').slice(0, -1)) answered.add(Number(line));
    }
    keep(openSpoolWriter(folder, 1e9));
    await drain();
    expect(answered.size).toBeGreaterThan(200);
    expect([...answered].filter((number) => found.get(number) !== 1)).toEqual([]);
  });
});

describe('damage', () => {
  test('a record whose bytes were changed on disk is left out and told; those behind it are read', async () => {
    const writer = openSpoolWriter(folder, MB);
    const list = ['one', 'two', 'three', 'four'];
    await appendAll(writer, list);
    await writer.close();
    writeAt(lastSegment(), Buffer.from('!'), endOfFrames(['one']) + FRAME_HEAD_BYTES);
    // And a length that leads nowhere.
    writeAt(lastSegment(), Buffer.from([0xff]), endOfFrames(['one', 'two']) + 5);
    const told: string[] = [];
    const reader = keep(openSpoolReader(folder, { onDamage: (detail) => told.push(detail) }));
    expect(texts(reader)).toEqual([
      [1, 'one'],
      [4, 'four'],
    ]);
    expect(told).toEqual([expect.stringContaining('Record 2')]);
    const again = keep(openSpoolWriter(folder, MB, { onDamage: (detail) => told.push(detail) }));
    expect(told).toHaveLength(2);
    expect(await again.append([Buffer.from('five')])).toBe(5);
    expect(texts(reader, 4)).toEqual([[5, 'five']]);
  });

  test('a segment whose first page is lost does not hide the others', async () => {
    const writer = openSpoolWriter(folder, MB, { segmentBytes: 4_200 });
    await appendAll(writer, ['a'.repeat(80), 'b'.repeat(80), 'c'.repeat(80)]);
    await writer.close();
    const [, second = ''] = segmentFiles();
    writeAt(join(folder, second), Buffer.alloc(64), 0);
    const told: string[] = [];
    const reader = keep(openSpoolReader(folder, { onDamage: (detail) => told.push(detail) }));
    expect(texts(reader).map(([position]) => position)).toEqual([1, 3]);
    expect(told.some((detail) => detail.includes(second))).toBe(true);
  });
});

describe('the disk', () => {
  test('acknowledged segments are written over or removed', async () => {
    const writer = keep(openSpoolWriter(folder, 10 * MB, { segmentBytes: 100_000 }));
    const reader = keep(openSpoolReader(folder));
    for (let round = 0; round < 30; round++) {
      const positions = await Promise.all(
        Array.from({ length: 10 }, () => writer.append([Buffer.alloc(5_000)])),
      );
      await reader.acknowledge(Math.max(...positions));
    }
    const diskBytes = () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.spool'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    await expect.poll(diskBytes).toBeLessThanOrEqual(400_000);
  });

  test('a full disk refuses records and takes them again by itself; none that was taken is lost or torn', async (context) => {
    const small = join(folder, 'small');
    try {
      execFileSync('sh', ['-c', `mkdir ${small} && mount -t tmpfs -o size=1m tmpfs ${small}`], {
        stdio: 'ignore',
      });
    } catch {
      context.skip('a small file system can only be mounted as root');
    }
    try {
      const writer = openSpoolWriter(small, 100 * MB, { segmentBytes: 200_000 });
      const reader = openSpoolReader(small);
      const taken = new Map<number, number>();
      let sent = 0;
      const send = async (bytes: number) => {
        sent += 1;
        const number = sent % 251;
        const position = await writer.append([Buffer.alloc(bytes, number)]);
        expect(taken.has(position)).toBe(false);
        taken.set(position, number);
      };
      const fill = async () => {
        for (let count = 0; count < 400; count++) await send(5_000);
      };
      await expect(fill()).rejects.toMatchObject({ code: 'unavailable' });
      expect(taken.size).toBeGreaterThan(50);
      // Larger than the disk: written in part, and then cut.
      await expect(send(2_000_000)).rejects.toMatchObject({ code: 'unavailable' });
      let position = 0;
      const drain = async () => {
        for (const record of reader.read(position, ALL)) {
          const number = taken.get(record.position);
          expect(record.bytes.every((byte) => byte === number)).toBe(true);
          taken.delete(record.position);
          position = record.position;
        }
        await reader.acknowledge(position);
      };
      await drain();
      expect(taken.size).toBe(0);
      await expect
        .poll(
          () =>
            send(5_000).then(
              () => 'taken',
              () => 'refused',
            ),
          { timeout: 10_000, interval: 100 },
        )
        .toBe('taken');
      await send(5_000);
      await drain();
      expect(taken.size).toBe(0);
      await Promise.all([writer.close(), reader.close()]);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  });
});

test('a look at what waits does not read the records before it, however many the file has', async () => {
  const writer = keep(openSpoolWriter(folder, MB));
  await appendAll(writer, ['alpha', 'bravo', 'charlie']);
  const reader = keep(openSpoolReader(folder));
  reader.read(0, ALL);
  await reader.acknowledge(2);
  // A record that is read and found damaged is told.
  const file = openSync(lastSegment(), 'r+');
  writeSync(file, Buffer.alloc(4, 0xff), 0, 4, SEGMENT_HEAD_BYTES);
  closeSync(file);

  const damage: string[] = [];
  const onDamage = (detail: string) => damage.push(detail);
  const glance = keep(openSpoolReader(folder, { isObserver: true, isGlance: true, onDamage }));
  expect(texts(glance, 2)).toEqual([[3, 'charlie']]);
  expect(damage).toEqual([]);
  const waiting = await readOldestWaiting(folder);
  expect(waiting.kind === 'waiting' && Buffer.from(waiting.bytes).toString()).toBe('charlie');
  await reader.acknowledge(3);
  expect(await readOldestWaiting(folder)).toEqual({ kind: 'none' });
});

describe('records from beside the edge', () => {
  test('are taken in while the writer runs, and when it starts', async () => {
    const writer = openSpoolWriter(folder, MB);
    await putIntoInbox(folder, [Buffer.from('from '), Buffer.from('beside')]);
    const reader = keep(openSpoolReader(folder));
    await expect.poll(() => texts(reader)).toEqual([[1, 'from beside']]);
    await writer.close();
    await putIntoInbox(folder, [Buffer.from('while away')]);
    keep(openSpoolWriter(folder, MB));
    await expect.poll(() => texts(reader, 1)).toEqual([[2, 'while away']]);
    await expect.poll(() => readdirSync(join(folder, 'inbox'))).toEqual([]);
  });

  test('are taken in once, also when the writer died before it removed them', async () => {
    const writer = openSpoolWriter(folder, MB);
    await writer.append([Buffer.from('taken in')]);
    await writer.close();
    writeFileSync(join(folder, 'inbox', '1.record'), 'taken in');
    writeFileSync(join(folder, 'inbox', '2.record'), 'another');
    keep(openSpoolWriter(folder, MB));
    const reader = keep(openSpoolReader(folder));
    await expect.poll(() => readdirSync(join(folder, 'inbox'))).toEqual([]);
    expect(texts(reader)).toEqual([
      [1, 'taken in'],
      [2, 'another'],
    ]);
  });
});

describe('the spool of release 0.1', () => {
  test('is drained first, under its name and positions, and then removed', async () => {
    const old = openOldSpoolWriter(folder, MB);
    await Promise.all(['one', 'two', 'three'].map((text) => old.append([Buffer.from(text)])));
    await old.append([Buffer.from('four')]);
    await old.close();

    const writer = keep(await openFilesToWrite(folder, MB, log));
    expect(await writer.append([Buffer.from('five')])).toBe(5);
    const reader = await openSpoolToRead(folder, log);
    expect(reader.depth()).toBe(5);
    // What the former release had counted before it was stopped.
    await reader.acknowledge(2);
    expect(texts(reader, 2)).toEqual([
      [3, 'three'],
      [4, 'four'],
    ]);
    await reader.acknowledge(3);
    await reader.close();

    const again = keep(await openSpoolToRead(folder, log));
    expect(again.spoolId).toBe(reader.spoolId);
    expect(texts(again, 3)).toEqual([[4, 'four']]);
    await again.acknowledge(4);
    expect(existsSync(join(folder, 'spool.mdb'))).toBe(false);
    expect(texts(again, 4)).toEqual([[5, 'five']]);
    await again.acknowledge(5);
    expect(again.depth()).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8'))).toEqual({
      spoolId: reader.spoolId,
      startsAfter: 4,
    });
  });

  test('is removed at once when nothing waits in it', async () => {
    const old = openOldSpoolWriter(folder, MB);
    await old.append([Buffer.from('one')]);
    await old.close();
    const reader = keep(await openSpoolToRead(folder, log));
    await reader.acknowledge(1);
    expect(existsSync(join(folder, 'spool.mdb'))).toBe(false);
    expect(await keep(await openFilesToWrite(folder, MB, log)).append([Buffer.from('two')])).toBe(2);
    expect(texts(reader, 1)).toEqual([[2, 'two']]);
  });
});
