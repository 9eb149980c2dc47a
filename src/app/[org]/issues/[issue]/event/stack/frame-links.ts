import { stacksOf } from '#app/[org]/issues/[issue]/event/event-parts.ts';
import { linkFrames } from '#product/code-mappings/link-frames.ts';
import type { Context } from '#product/context.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import type { LinkFrame } from './frame-view.ts';

/** Different lines of one event that are looked for in repositories. */
const LINES_MAX = 500;

/** Where the lines of an event's frames are in repositories, asked for at once. */
export async function loadFrameLinks(
  ctx: Context,
  { projectId, release, payload }: { projectId: number; release: string | null; payload: NormalizedEvent },
): Promise<LinkFrame> {
  const frames = new Map<string, Frame>();
  for (const frame of stacksOf(payload).flatMap((stack) => stack.frames)) {
    if (frames.size < LINES_MAX) frames.set(keyOf(frame), frame);
  }
  const hrefs = await linkFrames(ctx, { projectId, release, frames: [...frames.values()] });
  const links = new Map([...frames.keys()].map((key, index) => [key, hrefs[index] ?? null]));
  return (frame) => links.get(keyOf(frame)) ?? null;
}

const keyOf = ({ module, filename, abs_path: path, lineno }: Frame): string =>
  JSON.stringify([module, filename, path, lineno]);
