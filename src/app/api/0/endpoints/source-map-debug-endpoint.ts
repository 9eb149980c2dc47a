import { declare, type Operation } from '#app/api/0/operation.ts';
import { SOURCE_MAP_STATE } from '#app/api/0/schemas/source-map-debug.ts';
import {
  type FrameDebug,
  type SourceMapError,
  serializeFrameDebug,
} from '#app/api/0/serializers/serialize-frame-debug.ts';
import { invalid } from '#lib/errors.ts';
import { explainSourceMaps } from '#product/artifacts/explain-source-maps.ts';
import { findProject, type ProjectParams } from './find-project.ts';

const SOURCE_MAP_DEBUG = {
  summary: 'Tells why frames of an event show no source',
  scopes: ['event:read'],
  answer: SOURCE_MAP_STATE,
} satisfies Operation;

/**
 * Why frames of an event show no source. `errors` is Sentry's answer: of the frame that `exception_idx` and `frame_idx`
 * name, of every frame without them, each reason once. `exceptions` tells of each frame, also what the uploads of now
 * would give.
 * Source: https://docs.sentry.io/api/events/debug-issues-related-to-source-maps-for-a-given-event/
 */
export const sourceMapDebugEndpoint = declare<ProjectParams & { event: string }>(
  SOURCE_MAP_DEBUG,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    const explained = await explainSourceMaps(ctx, {
      projectSlug: project.slug,
      eventId: call.params.event,
    });
    const exceptions = explained.exceptions.map(({ frames }) => ({
      frames: frames.map(serializeFrameDebug),
    }));
    return {
      body: {
        errors: collectErrors(choose(exceptions, call.url)),
        release: explained.release,
        dist: explained.dist,
        has_debug_ids: explained.hasDebugIds,
        sdk_version: explained.sdkVersion,
        exceptions,
      },
    };
  },
);

type Described = readonly { frames: readonly FrameDebug[] }[];

function choose(exceptions: Described, url: URL): readonly FrameDebug[] {
  const exceptionIndex = readIndex(url, 'exception_idx');
  const frameIndex = readIndex(url, 'frame_idx');
  const asked = exceptionIndex === null ? exceptions : exceptions.slice(exceptionIndex, exceptionIndex + 1);
  const frames = asked.flatMap((exception) =>
    frameIndex === null ? exception.frames : exception.frames.slice(frameIndex, frameIndex + 1),
  );
  if (frames.length === 0 && (exceptionIndex !== null || frameIndex !== null)) {
    throw invalid('The event has no such frame: exceptions and frames are counted from 0', 'frame_idx');
  }
  return frames;
}

function readIndex(url: URL, name: string): number | null {
  const text = url.searchParams.get(name) ?? '';
  if (text === '') return null;
  if (!/^\d{1,4}$/.test(text)) throw invalid(`${name} must be a whole number from 0`, name);
  return Number(text);
}

function collectErrors(frames: readonly FrameDebug[]): readonly SourceMapError[] {
  const errors = new Map<string, SourceMapError>();
  for (const { error } of frames) if (error) errors.set(JSON.stringify(error), error);
  return [...errors.values()];
}
