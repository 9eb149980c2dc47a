import type { Context } from '#product/context.ts';
import type { ArtifactFileReader, ArtifactFileWriter, Checksum } from '#storage/ports/artifact-files.ts';
import { withUploadHeadroom } from './upload-headroom.ts';

/** Keeps a stream by checksum once `check` passes; callers add a row. Throws Invalid, Conflict, and as `check`. */
export async function storeBytes<Checked>(
  ctx: Pick<Context, 'stores' | 'organization' | 'now'>,
  body: AsyncIterable<Uint8Array>,
  options: { expected: Checksum | null; bytesMax: number },
  check: (reader: ArtifactFileReader) => Promise<Checked>,
): Promise<{ checksum: Checksum; bytes: number; checked: Checked }> {
  return await writeBody(ctx, body, options, async (writer) => {
    const checked = await readWritten(writer, check);
    return { ...(await writer.finish()), checked };
  });
}

/** Reads a stream as a file of which nothing is kept. Throws as `storeBytes`. */
export async function readBytes<Result>(
  ctx: Pick<Context, 'stores' | 'organization' | 'now'>,
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  use: (reader: ArtifactFileReader) => Promise<Result>,
): Promise<Result> {
  const { result } = await writeBody(ctx, body, { expected: null, bytesMax }, async (writer) => {
    const result = await readWritten(writer, use);
    await writer.abort();
    return { result, bytes: 0 };
  });
  return result;
}

/** Looks at what was written before it has its name. */
export async function readWritten<Result>(
  writer: ArtifactFileWriter,
  use: (reader: ArtifactFileReader) => Promise<Result>,
): Promise<Result> {
  const reader = await writer.read();
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

async function writeBody<Result extends { bytes: number }>(
  ctx: Pick<Context, 'stores' | 'organization' | 'now'>,
  body: AsyncIterable<Uint8Array>,
  options: { expected: Checksum | null; bytesMax: number },
  end: (writer: ArtifactFileWriter) => Promise<Result>,
): Promise<Result> {
  return await withUploadHeadroom(ctx, options.bytesMax, async () => {
    const writer = await ctx.stores.artifactFiles.create(ctx.organization.id, options);
    try {
      for await (const piece of body) writer.write(piece);
      return await end(writer);
    } catch (error) {
      await writer.abort();
      throw error;
    }
  });
}
