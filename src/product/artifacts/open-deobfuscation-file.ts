import type { Readable } from 'node:stream';
import type { Context } from '#product/context.ts';
import type { DeobfuscationFile } from '#storage/ports/artifacts.ts';
import { getDeobfuscationFile } from './get-deobfuscation-file.ts';
import { openStored } from './open-stored.ts';

/** The bytes of a mapping as they were uploaded. Throws NotFound. */
export async function openDeobfuscationFile(
  ctx: Context,
  input: { projectSlug: string; fileId: number },
): Promise<{ file: DeobfuscationFile; content: Readable; bytes: number }> {
  const file = await getDeobfuscationFile(ctx, input);
  return { file, ...(await openStored(ctx, file.checksum)) };
}
