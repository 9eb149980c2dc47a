import { Readable } from 'node:stream';
import type { Context } from '#product/context.ts';
import type { DigestedReplaySegment } from '#protocol/telemetry.ts';
import { listReplaySegments } from './replays.ts';

/** Segments of a replay that are played; SDKs end a replay after an hour, which has some 720. */
const PLAYED_SEGMENTS_MAX = 2_000;
/** Of them all, as they were sent; more is not played. */
const PLAYED_BYTES_MAX = 512 * 1024 * 1024;
/** Of one of them, as it was sent. */
const PLAYED_SEGMENT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * The recordings and videos of a replay in their order, as they were sent: before each a line of JSON with its
 * `segmentId`, `kind` and `bytes`. What is no longer stored, and what is over the bounds, is left out. Throws NotFound.
 */
export async function streamRecording(
  ctx: Context,
  input: { projectSlug: string; replayId: string },
): Promise<Readable> {
  const segments = await listReplaySegments(ctx, input);
  return Readable.from(readSegments(ctx, segments.slice(0, PLAYED_SEGMENTS_MAX)), { objectMode: false });
}

async function* readSegments(
  { stores: { blobs } }: Context,
  segments: readonly DigestedReplaySegment[],
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for (const { segmentId, kind, blobKey } of segments) {
    const bytes = await blobs.size(blobKey);
    if (bytes === null || bytes > PLAYED_SEGMENT_BYTES_MAX) continue;
    total += bytes;
    if (total > PLAYED_BYTES_MAX) return;
    const content = await blobs.read(blobKey, { from: 0, to: bytes });
    if (content === null) continue;
    yield Buffer.from(`${JSON.stringify({ segmentId, kind, bytes })}\n`);
    yield* content as AsyncIterable<Buffer>;
  }
}
