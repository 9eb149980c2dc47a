import { createHash } from 'node:crypto';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { DamagedError, openStream, sealStream } from '#lib/sealed-stream/sealed-stream.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import { objectName, type Piece } from './backup-format.ts';

export type PieceWriter = {
  /**
   * Writes the content into a file under the hash of that file. With the same content as `former`, nothing is kept, and
   * `former` is the answer.
   */
  write(source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Piece>;
  /** Bytes of the files that were kept. */
  newBytes(): number;
  /** Removes what was written: the backup has failed. */
  discard(): Promise<void>;
};

type WriteOptions = {
  /** False for what is compressed already. */
  isCompressed?: boolean;
  former?: Piece | null;
};

export function createPieceWriter(
  target: BackupTarget,
  keys: BackupKeys | null,
  /** Told of bytes as they are written; throws to stop. */
  onBytes: (bytes: number) => void,
): PieceWriter {
  const written = new Map<string, number>();
  return {
    async write(source, { isCompressed = true, former = null }) {
      const file = createHash('sha256');
      const content = createHash('sha256');
      let [bytes, contentBytes] = [0, 0];
      async function* watched(): AsyncGenerator<Uint8Array> {
        for await (const chunk of source) {
          content.update(chunk);
          contentBytes += chunk.length;
          yield chunk;
        }
      }
      const writer = await target.create();
      try {
        for await (const chunk of sealStream(watched(), { keys, isCompressed })) {
          file.update(chunk);
          bytes += chunk.length;
          onBytes(chunk.length);
          await writer.write(chunk);
        }
        const contentSha256 = content.digest('hex');
        if (former?.contentSha256 === contentSha256 && former.contentBytes === contentBytes) {
          await writer.abort();
          return former;
        }
        const object = file.digest('hex');
        await writer.finish(objectName(object));
        written.set(object, bytes);
        return { object, bytes, contentBytes, contentSha256 };
      } catch (error) {
        await writer.abort();
        throw error;
      }
    },
    newBytes: () => [...written.values()].reduce((sum, bytes) => sum + bytes, 0),
    async discard() {
      for (const object of written.keys()) await target.delete(objectName(object));
    },
  };
}

/**
 * The content of a piece. Throws DamagedError when its file is missing or not as it was written, at the latest at its end:
 * whoever must not use what is damaged verifies it first.
 */
export async function* readPiece(
  target: BackupTarget,
  piece: Piece,
  keys: BackupKeys | null,
): AsyncGenerator<Buffer> {
  const file = createHash('sha256');
  const content = createHash('sha256');
  let bytes = 0;
  async function* watched(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      file.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const source = await target.open(objectName(piece.object));
  if (!source) throw new DamagedError(`The file ${objectName(piece.object)} is missing`);
  try {
    for await (const chunk of openStream(watched(source), keys)) {
      content.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw new DamagedError(`The file ${objectName(piece.object)} is damaged: ${(error as Error).message}`);
  }
  if (bytes !== piece.bytes || file.digest('hex') !== piece.object) {
    throw new DamagedError(`The file ${objectName(piece.object)} is damaged: it is not as it was written`);
  }
  if (content.digest('hex') !== piece.contentSha256) {
    throw new DamagedError(`The file ${objectName(piece.object)} is damaged: its content is another one`);
  }
}
