import { expect, test } from 'vitest';
import { listUnchangedParts } from './release-pages.ts';

const mapping = (range: string, rights: string, path: string, ownKb: number) =>
  [
    `${range} ${rights} 00000000 fe:00 5917147                    ${path}`,
    'Size:               4096 kB',
    'Rss:                2048 kB',
    'Shared_Dirty:          0 kB',
    `Private_Dirty:      ${String(ownKb).padStart(4)} kB`,
    `Anonymous:          ${String(ownKb).padStart(4)} kB`,
    'Swap:                  0 kB',
    'VmFlags: rd mr mw me',
  ].join('\n');

test('only parts of the file that are as on disk are released', () => {
  const smaps = [
    mapping('7f0000000000-7f0000001000', 'r--p', '/opt/lib engine.so', 0),
    mapping('7f0000001000-7f0000003000', 'r-xp', '/opt/lib engine.so', 0),
    // Relocated when it was loaded, and read-only since.
    mapping('7f0000003000-7f0000004000', 'r--p', '/opt/lib engine.so', 12),
    mapping('7f0000004000-7f0000005000', 'rw-p', '/opt/lib engine.so', 0),
    mapping('7f0000005000-7f0000006000', 'r-xp', '/usr/lib/libc.so.6', 0),
    '7f0000006000-7f0000007000 rw-p 00000000 00:00 0 \nAnonymous:             8 kB',
  ].join('\n');
  expect(listUnchangedParts(smaps, '/opt/lib engine.so')).toEqual([
    { start: 0x7f0000000000, bytes: 0x1000 },
    { start: 0x7f0000001000, bytes: 0x2000 },
  ]);
});

test('a part that was swapped out is not on disk', () => {
  const smaps = `${mapping('1000-2000', 'r--p', '/lib.so', 0)}`.replace(
    /^Swap: .*$/m,
    'Swap:               4 kB',
  );
  expect(listUnchangedParts(smaps, '/lib.so')).toEqual([]);
});
