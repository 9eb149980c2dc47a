import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SpoolReader, SpoolRecord, SpoolWriter } from '#storage/ports/spool.ts';
import { until } from '../harness/until.ts';

export type OpenedSpool = {
  openWriter(): Promise<SpoolWriter>;
  /** After a position that the relational store has. */
  openReader(position: number): Promise<SpoolReader>;
  close(): Promise<void>;
};

const MIB = 1024 * 1024;
const LIMITS = { records: 10_000, bytes: 1e9 };

/** Reads until so many records are there: what comes over a network comes a little later. */
export async function readAtLeast(
  reader: SpoolReader,
  after: number,
  count: number,
): Promise<readonly SpoolRecord[]> {
  await until(`${count} records after ${after}`, () => reader.read(after, LIMITS).length >= count, {
    timeoutMs: 30_000,
  });
  return reader.read(after, LIMITS);
}

/** What every spool does with the records of one origin; inside a `describe` of its adapter. */
export function describeSpool(open: () => Promise<OpenedSpool>): void {
  let spool: OpenedSpool;
  const opened: { close(): Promise<void> }[] = [];
  const keep = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const made = await opening;
    opened.push(made);
    return made;
  };
  beforeEach(async () => {
    spool = await open();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await spool.close();
  });
  const textsOf = (records: readonly SpoolRecord[]) =>
    records.map(({ position, bytes }) => [position, Buffer.from(bytes).toString()]);
  const origin = { projectId: 1, eventId: 'a'.repeat(32) };

  test('gives records back in order, with positions that grow by one, also those of one commit', async () => {
    const writer = await keep(spool.openWriter());
    const positions = await Promise.all(
      ['a', 'b', 'c'].map((text) => writer.append([Buffer.from(text), Buffer.from('!')], origin)),
    );
    expect(positions).toEqual([1, 2, 3]);
    expect(await writer.append([Buffer.from('d')], origin)).toBe(4);
    const reader = await keep(spool.openReader(0));
    const all = [
      [1, 'a!'],
      [2, 'b!'],
      [3, 'c!'],
      [4, 'd'],
    ];
    expect(textsOf(await readAtLeast(reader, 0, 4))).toEqual(all);
    expect(textsOf(reader.read(2, LIMITS))).toEqual(all.slice(2));
    expect(textsOf(reader.read(0, LIMITS)), 'read again').toEqual(all);
    expect(reader.read(4, LIMITS)).toEqual([]);
  });

  test('bounds a read by records and by bytes, but always gives one', async () => {
    const writer = await keep(spool.openWriter());
    await Promise.all(['aaaa', 'bbbb', 'cccc'].map((text) => writer.append([Buffer.from(text)], origin)));
    const reader = await keep(spool.openReader(0));
    await readAtLeast(reader, 0, 3);
    expect(reader.read(0, { records: 2, bytes: 1_000 })).toHaveLength(2);
    expect(reader.read(0, { records: 10, bytes: 8 })).toHaveLength(2);
    expect(reader.read(0, { records: 10, bytes: 1 })).toHaveLength(1);
  });

  test('a reader that was stopped goes on where the relational store says, and knows what waits', async () => {
    const writer = await keep(spool.openWriter());
    for (const text of ['a', 'b', 'c', 'd']) await writer.append([Buffer.from(text)], origin);
    const first = await spool.openReader(0);
    await readAtLeast(first, 0, 4);
    await first.acknowledge(2);
    await until('two to wait', () => first.depth() === 2);
    const { spoolId } = first;
    await first.close();
    const second = await keep(spool.openReader(2));
    expect(second.spoolId).toBe(spoolId);
    expect(textsOf(await readAtLeast(second, 2, 2))).toEqual([
      [3, 'c'],
      [4, 'd'],
    ]);
    await second.acknowledge(4);
    expect(second.read(4, LIMITS)).toEqual([]);
    expect(second.depth()).toBe(0);
  });

  test('takes records of any size that the edge takes', async () => {
    const writer = await keep(spool.openWriter());
    const records = [randomBytes(10), randomBytes(9 * MIB), randomBytes(2 * MIB), Buffer.alloc(5 * MIB, 'z')];
    for (const record of records) await writer.append([record.subarray(0, 5), record.subarray(5)], origin);
    const reader = await keep(spool.openReader(0));
    let position = 0;
    for (const record of records) {
      const [found] = await readAtLeast(reader, position, 1);
      expect(Buffer.from(found?.bytes ?? []).equals(record)).toBe(true);
      position = found?.position ?? 0;
      await reader.acknowledge(position);
    }
  });

  test('stores each of thousands of records that are appended at once, once and in order', async () => {
    const writer = await keep(spool.openWriter());
    const count = 3_000;
    const sent = await Promise.all(
      Array.from({ length: count }, (_, index) => writer.append([Buffer.from(String(index))], origin)),
    );
    expect(sent).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    const reader = await keep(spool.openReader(0));
    const read = await readAtLeast(reader, 0, count);
    expect(read.map(({ bytes }) => Number(Buffer.from(bytes).toString()))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
  });
}
