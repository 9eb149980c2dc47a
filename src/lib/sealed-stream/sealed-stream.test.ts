import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createBackupKeys } from './backup-keys.ts';
import { openStream, type SealOptions, sealStream } from './sealed-stream.ts';

const PHRASE = 'a phrase of the operator, long enough';
const keys = createBackupKeys(PHRASE);
const MIB = 1024 * 1024;

const WAYS: readonly [string, SealOptions][] = [
  ['plain', { keys: null, isCompressed: false }],
  ['compressed', { keys: null, isCompressed: true }],
  ['encrypted', { keys, isCompressed: false }],
  ['compressed and encrypted', { keys, isCompressed: true }],
];

async function* pieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const seal = (bytes: Buffer, options: SealOptions) => collect(sealStream(pieces(bytes, 70_001), options));
const open = (bytes: Buffer, of = keys) => collect(openStream(pieces(bytes, 9_973), of));

test.each(WAYS)('what was sealed %s comes out as it went in, however it is cut', async (_name, options) => {
  for (const length of [0, 1, 4_095, MIB - 1, MIB, MIB + 1, 3 * MIB + 17]) {
    const bytes = randomBytes(length);
    expect((await open(await seal(bytes, options))).equals(bytes)).toBe(true);
  }
});

test('another phrase, or none, opens nothing', async () => {
  const sealed = await seal(Buffer.from('something'), { keys, isCompressed: true });
  await expect(open(sealed, createBackupKeys('another phrase, just as long as that'))).rejects.toThrow(
    'another key',
  );
  await expect(collect(openStream(pieces(sealed, 100), null))).rejects.toThrow('ERRATA_BACKUP_KEY');
});

test('the same phrase opens what was sealed with another salt', async () => {
  const sealed = await seal(Buffer.from('something'), { keys, isCompressed: false });
  expect((await open(sealed, createBackupKeys(PHRASE))).toString()).toBe('something');
});

test('the same content is never sealed the same way twice', async () => {
  const options = { keys, isCompressed: false };
  const [one, other] = [await seal(Buffer.from('same'), options), await seal(Buffer.from('same'), options)];
  expect(one.equals(other)).toBe(false);
});

test('every changed byte, every cut and everything behind the end of an encrypted file is refused', async () => {
  const sealed = await seal(randomBytes(300), { keys, isCompressed: false });
  for (let at = 0; at < sealed.length; at++) {
    // A changed salt takes the slow derivation each time.
    if (at > 16 && at < 31) continue;
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(open(changed), `byte ${at}`).rejects.toThrow();
    await expect(open(sealed.subarray(0, at)), `cut at ${at}`).rejects.toThrow();
  }
  await expect(open(Buffer.concat([sealed, Buffer.from([0])]))).rejects.toThrow('follows its end');
});

test('chunks of an encrypted file cannot change places, be left out, or come from another file', async () => {
  const options = { keys, isCompressed: false };
  const [one, other] = [await seal(randomBytes(2 * MIB), options), await seal(randomBytes(2 * MIB), options)];
  const head = one.subarray(0, 48);
  const chunk = MIB + 4 + 16;
  const [first, second] = [one.subarray(48, 48 + chunk), one.subarray(48 + chunk)];
  await expect(open(Buffer.concat([head, second, first]))).rejects.toThrow();
  await expect(open(Buffer.concat([head, second]))).rejects.toThrow('was changed');
  await expect(open(Buffer.concat([head, first]))).rejects.toThrow('cut');
  await expect(open(Buffer.concat([head, other.subarray(48)]))).rejects.toThrow('was changed');
});

test('an error of the source comes out, and whoever stops reading stops the source', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield randomBytes(10);
    throw new Error('the source broke');
  }
  await expect(collect(sealStream(failing(), { keys, isCompressed: true }))).rejects.toThrow(
    'the source broke',
  );
  let isStopped = false;
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield randomBytes(100_000);
    } finally {
      isStopped = true;
    }
  }
  let taken = 0;
  for await (const chunk of sealStream(endless(), { keys, isCompressed: true })) {
    taken += chunk.length;
    if (taken > MIB) break;
  }
  await expect.poll(() => isStopped).toBe(true);
});
