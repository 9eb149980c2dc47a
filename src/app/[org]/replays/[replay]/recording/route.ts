import { Readable } from 'node:stream';
import { withSession } from '#app/with-session.ts';
import { findReplayProject } from '#product/replays/replays.ts';
import { streamRecording } from '#product/replays/stream-recording.ts';

/** The recording of a replay, segment by segment, for the player. */
export const GET = withSession<{ org: string; replay: string }>(async ({ ctx, params }) => {
  const project = await findReplayProject(ctx, params.replay);
  const content = await streamRecording(ctx, { projectSlug: project.slug, replayId: params.replay });
  return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    },
  });
});
