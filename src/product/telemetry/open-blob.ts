import type { Readable } from 'node:stream';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';

/** The body of a row that the caller was given: an attachment, a replay segment, a profile. Throws NotFound when it is gone. */
export async function openBlob(
  ctx: Context,
  { blobKey }: { blobKey: string },
): Promise<{ content: Readable; bytes: number }> {
  requireRight(ctx, 'event:read');
  const { blobs } = ctx.stores;
  const bytes = await blobs.size(blobKey);
  // The range bounds what is sent to what is announced.
  const content = bytes === null ? null : await blobs.read(blobKey, { from: 0, to: bytes });
  if (bytes === null || content === null) {
    throw notFound('The content is not stored any more: it may be past its retention');
  }
  return { content, bytes };
}
