import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { DamagedError } from '#lib/sealed-stream/sealed-stream.ts';
import type { FileDestination, FileSource, StoredFile } from '#storage/ports/backup-sources.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import type { FilePack, FileSet } from './backup-format.ts';
import { type PieceWriter, readPiece } from './pieces.ts';

/** Files of one pack, and their bytes: a larger file has a pack of its own. */
const PACK_FILES_MAX = 10_000;
const PACK_BYTES_MAX = 64 * 1024 * 1024;
/** A pack of an earlier backup is used while so much of it is still there; what is left of others is written again. */
const LIVE_SHARE_MIN = 0.5;
/** Rounds over the files: what vanished in one has its copy in the next. */
const ROUNDS_MAX = 3;

/** Path, length, time, SHA-256. */
const INDEX = z.array(
  z.tuple([z.string(), z.int().nonnegative(), z.int(), z.string().regex(/^[0-9a-f]{64}$/)]),
);
type Entry = z.infer<typeof INDEX>[number];

type PackDeps = {
  target: BackupTarget;
  keys: BackupKeys | null;
  writer: PieceWriter;
  /** Told of files that are done. */
  onFiles: (count: number) => void;
};

/**
 * Everything that a source has, in packs: those of `former` as far as their files are still the same, and new ones. A
 * file may be replaced by a scrubbed copy meanwhile; the copy is there before the original goes, so that another round
 * finds it.
 */
export async function packFiles(
  deps: PackDeps,
  set: FileSet,
  source: FileSource,
  former: readonly FilePack[],
): Promise<readonly FilePack[]> {
  let known = former.filter((pack) => pack.set === set);
  for (let round = 1; ; round++) {
    const packs: FilePack[] = [];
    let hasVanished = false;
    const groups = await source.listGroups();
    for (const group of groups) {
      const own = known.filter((pack) => pack.group === group);
      const result = await packGroup(deps, { set, group, former: own }, source);
      packs.push(...result.packs);
      hasVanished ||= result.hasVanished;
    }
    if (!hasVanished || round === ROUNDS_MAX) return packs;
    known = packs;
  }
}

async function packGroup(
  deps: PackDeps,
  { set, group, former }: { set: FileSet; group: string; former: readonly FilePack[] },
  source: FileSource,
): Promise<{ packs: readonly FilePack[]; hasVanished: boolean }> {
  const files = new Map((await source.list(group)).map((file) => [file.path, file]));
  const packs: FilePack[] = [];
  for (const pack of former) {
    const entries = await readIndex(deps.target, pack, deps.keys);
    const isLive = entries.map(([path, bytes, writtenAtMs]) => {
      const file = files.get(path);
      return file?.bytes === bytes && file.writtenAtMs === writtenAtMs;
    });
    const live = entries.filter((_, index) => isLive[index]);
    const liveBytes = live.reduce((sum, [, bytes]) => sum + bytes, 0);
    if (live.length === 0 || liveBytes < pack.content.contentBytes * LIVE_SHARE_MIN) continue;
    for (const [path] of live) files.delete(path);
    packs.push({ ...pack, gone: entries.flatMap((_, index) => (isLive[index] ? [] : [index])) });
    deps.onFiles(live.length);
  }
  let hasVanished = false;
  for (const batch of cutIntoPacks([...files.values()])) {
    const pack = await writePack(deps, set, group, batch, source);
    hasVanished ||= (pack?.files ?? 0) < batch.length;
    if (pack) packs.push(pack);
    deps.onFiles(batch.length);
  }
  return { packs, hasVanished };
}

/** null when none of the files is there any more. */
async function writePack(
  { writer }: PackDeps,
  set: FileSet,
  group: string,
  files: readonly StoredFile[],
  source: FileSource,
): Promise<FilePack | null> {
  const entries: Entry[] = [];
  async function* contents(): AsyncGenerator<Buffer> {
    for (const file of files) {
      const stream = await source.open(file.path);
      if (!stream) continue;
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of stream) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
      entries.push([file.path, bytes, file.writtenAtMs, hash.digest('hex')]);
    }
  }
  // Blobs are compressed where they lie.
  const content = await writer.write(contents(), { isCompressed: set === 'artifacts' });
  if (entries.length === 0) return null;
  const index = await writer.write(once(Buffer.from(JSON.stringify(entries))), {});
  return { set, group, files: entries.length, content, index, gone: [] };
}

/** Writes the files of a pack; answers how many. Throws DamagedError when one is not as it was. */
export async function unpackFiles(
  target: BackupTarget,
  pack: FilePack,
  keys: BackupKeys | null,
  destination: FileDestination,
): Promise<number> {
  const entries = await readIndex(target, pack, keys);
  const gone = new Set(pack.gone);
  const bytes = new PieceBytes(readPiece(target, pack.content, keys));
  let count = 0;
  for (const [index, [path, length, writtenAtMs, sha256]] of entries.entries()) {
    const hash = createHash('sha256');
    async function* content(): AsyncGenerator<Buffer> {
      for await (const chunk of bytes.take(length)) {
        hash.update(chunk);
        yield chunk;
      }
    }
    if (gone.has(index)) for await (const _ of content());
    else {
      await destination.write({ path, bytes: length, writtenAtMs }, content());
      count += 1;
    }
    if (hash.digest('hex') !== sha256) throw new DamagedError(`The file ${path} is damaged in the backup`);
  }
  await bytes.end();
  return count;
}

async function readIndex(
  target: BackupTarget,
  { index }: FilePack,
  keys: BackupKeys | null,
): Promise<readonly Entry[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of readPiece(target, index, keys)) chunks.push(chunk);
  return INDEX.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}

function* cutIntoPacks(files: readonly StoredFile[]): Generator<readonly StoredFile[]> {
  let pack: StoredFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (pack.length > 0 && (pack.length >= PACK_FILES_MAX || bytes + file.bytes > PACK_BYTES_MAX)) {
      yield pack;
      [pack, bytes] = [[], 0];
    }
    pack.push(file);
    bytes += file.bytes;
  }
  if (pack.length > 0) yield pack;
}

class PieceBytes {
  readonly #source: AsyncGenerator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncGenerator<Buffer>) {
    this.#source = source;
  }

  async *take(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (this.#left.length === 0) {
        const next = await this.#source.next();
        if (next.done) throw new DamagedError('A pack of files is shorter than its index says');
        this.#left = next.value;
      }
      const taken = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(taken.length);
      missing -= taken.length;
      if (taken.length > 0) yield taken;
    }
  }

  /** Throws unless everything was taken; the last reading compares the hashes. */
  async end(): Promise<void> {
    const next = await this.#source.next();
    if (this.#left.length > 0 || !next.done) {
      throw new DamagedError('A pack of files is longer than its index says');
    }
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
