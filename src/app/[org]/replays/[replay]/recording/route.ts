import { Readable } from 'node:stream';
import { withSession } from '#app/with-session.ts';
import { isErrataError } from '#lib/errors.ts';
import { findReplayProject } from '#product/replays/replays.ts';
import { streamRecording } from '#product/replays/stream-recording.ts';

/** The recording of a replay, segment by segment, for the player. */
export const GET = withSession<{ org: string; replay: string }>(async ({ ctx, params }) => {
  const project = await findReplayProject(ctx, params.replay);
  const recording = streamRecording(ctx, { projectSlug: project.slug, replayId: params.replay });
  // A replay is known by what it says of itself, also when nothing of its recording is stored: the player says so.
  const content = await recording.catch((error: unknown) => {
    if (isErrataError(error) && error.code === 'not_found') return null;
    throw error;
  });
  return new Response(content && (Readable.toWeb(content) as ReadableStream<Uint8Array>), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    },
  });
});
