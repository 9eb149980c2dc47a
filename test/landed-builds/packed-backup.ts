import { readFileSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { BackupTarget } from '#storage/ports/backup-target.ts';

/** Every file of a backup by its name, in one. */
export async function packBackup(target: BackupTarget): Promise<Buffer> {
  const files: Record<string, string> = {};
  for (const { name } of await target.list()) {
    const content = await target.open(name);
    if (!content) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    files[name] = Buffer.concat(chunks).toString('base64');
  }
  return zstdCompressSync(JSON.stringify(files));
}

/** To be read only. */
export function openPackedBackup(file: string): BackupTarget {
  const packed: unknown = JSON.parse(zstdDecompressSync(readFileSync(file)).toString());
  const files = new Map(
    Object.entries(packed as Record<string, string>).map(([name, text]) => [
      name,
      Buffer.from(text, 'base64'),
    ]),
  );
  const refuse = () => Promise.reject(new Error('A packed backup is not written to'));
  return {
    place: file,
    create: refuse,
    delete: refuse,
    lock: refuse,
    open: async (name) => {
      const content = files.get(name);
      return content ? stream(content) : null;
    },
    list: async () => [...files].map(([name, { length }]) => ({ name, bytes: length })).sort(byName),
  };
}

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);

async function* stream(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
