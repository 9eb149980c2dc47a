import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type { BackupParts } from '#product/backups/create-backup.ts';
import { openStoredFiles } from '#storage/disk/backups/stored-files.ts';

/** The parts of a small instance of which only the files lie on a disk, for tests of the format. */
export function makePlainParts(): BackupParts & { dataDir: string; addBlob(name: string): void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'errata-backup-'));
  const addBlob = (name: string) => {
    const file = path.join(dataDir, 'blobs/2026-01-01/1', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(3_000));
  };
  for (const name of ['a+z', 'b+z', 'c+z']) addBlob(name);
  const rows = Buffer.from('1\tone\n2\ttwo\n');
  const partitions = ['20260101', '20260102'].map((partition) => ({
    table: 'events',
    partition,
    fingerprint: partition,
  }));
  const now = { during: <Result>(work: () => Promise<Result>) => work() };
  return {
    dataDir,
    addBlob,
    lock: now,
    pause: now,
    relational: {
      cut: async () => ({
        migrations: [{ version: 1, name: '0001_core.sql', checksum: 'c' }],
        tables: [{ name: 'projects', columns: ['id', 'name'] }],
        readSequences: async () => [{ name: 'projects_id_seq', value: 2, isCalled: true }],
        findSpoolPosition: async () => 7,
        read: () => stream(rows),
        end: async () => {},
      }),
    },
    analytic: {
      begin: async () => ({
        end: async () => {},
        hold: async (isKnown) => ({
          migrations: [],
          tables: [{ name: 'events', columns: ['id'] }],
          partitions,
          read: (partition) => {
            if (isKnown(partitions.find((one) => one.partition === partition.partition)!)) {
              throw new Error('What is known is not read again');
            }
            return stream(zstdCompressSync(Buffer.alloc(20_000, partition.partition)));
          },
          measure: async () => ({ rows: 10, keysHash: 'k', sample: { key: 'hash' } }),
          end: async () => {},
        }),
      }),
    },
    spool: {
      spoolId: 'spool',
      async *read(after) {
        for (let position = after + 1; position <= after + 3; position++) {
          yield { position, bytes: randomBytes(200) };
        }
      },
      listUncounted: async () => [{ projectId: 1, eventId: 'e'.repeat(32), position: 8 }],
    },
    files: {
      blobs: openStoredFiles(path.join(dataDir, 'blobs')),
      artifacts: openStoredFiles(path.join(dataDir, 'artifacts')),
    },
    secrets: null,
    settings: { ERRATA_RETENTION_DAYS: '30' },
    errataVersion: '0.1.0',
  };
}

async function* stream(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
