import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { JSON_PARTS_MAX } from '#lib/bounded-json.ts';
import { IS_FULL } from './harness/is-full.ts';

const PROGRAM = path.resolve(import.meta.dirname, 'harness/parse-hostile-map.ts');
const MIB = 1024 * 1024;
/** What one map may cost the process that reads it, its text included. ARCHITECTURE.md names it. */
const GROWTH_BYTES_MAX = 512 * MIB;

/** A bundle of some hundred kilobytes holds each of them. */
const HOSTILE = [
  ['as many objects with a key as are parsed', '[', '{"a":0},', (JSON_PARTS_MAX / 3) * 8 - 8],
  ['30 MiB of open objects', '', '{"":', 30 * MIB],
  ['30 MiB of open arrays', '', '[', 30 * MIB],
  ['30 MiB of empty objects', '[', '{},', 30 * MIB],
  ['as many empty objects as are parsed', '[', '{},', JSON_PARTS_MAX],
] as const;

test.each(IS_FULL ? HOSTILE : HOSTILE.slice(0, 2))(
  'a map of %s costs bounded memory',
  async (_, open, piece, bytes) => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, open, piece, String(bytes)]);
    const { kind, grownBytes } = JSON.parse(stdout) as { kind: string; grownBytes: number };
    expect(kind).toBe('invalid');
    expect(grownBytes / MIB).toBeLessThan(GROWTH_BYTES_MAX / MIB);
  },
  60_000,
);
