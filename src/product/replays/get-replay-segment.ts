import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { DigestedReplaySegment } from '#protocol/telemetry.ts';
import { listReplaySegments } from './list-replay-segments.ts';

/** The recording of one segment, else its video. Throws NotFound. */
export async function getReplaySegment(
  ctx: Context,
  input: { projectSlug: string; replayId: string; segmentId: number },
): Promise<DigestedReplaySegment> {
  const segments = await listReplaySegments(ctx, input);
  const own = segments.filter(({ segmentId }) => segmentId === input.segmentId);
  const segment = own.find(({ kind }) => kind === 'recording') ?? own[0];
  if (!segment) {
    throw notFound(`The replay "${input.replayId.slice(0, 40)}" has no segment ${input.segmentId}`);
  }
  return segment;
}
