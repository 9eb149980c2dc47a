import { z } from 'zod';
import {
  FRAME_DEBUG,
  type FrameDebug,
  SOURCE_MAP_ERROR,
  type SourceMapError,
  serializeFrameDebug,
} from '#app/api/0/endpoints/uploads/frame-debug.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import type { Parameter } from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { explainSourceMaps } from '#product/artifacts/explain-source-maps.ts';

export const SOURCE_MAP_STATE = z
  .object({
    errors: z.array(SOURCE_MAP_ERROR),
    release: z.string().nullable(),
    dist: z.string().nullable(),
    has_debug_ids: z.boolean(),
    sdk_version: z.string().nullable(),
    exceptions: z.array(z.object({ frames: z.array(FRAME_DEBUG) })),
  })
  .meta({ id: 'SourceMapState' });

export const sourceMapDebugOperations: readonly Operation[] = [
  /**
   * Why frames of an event show no source. `errors` is Sentry's answer: of the frame that `exception_idx` and `frame_idx`
   * name, of every frame without them, each reason once. `exceptions` describes each frame, also what current uploads
   * would give.
   * Source: https://docs.sentry.io/api/events/debug-issues-related-to-source-maps-for-a-given-event/
   */
  get('projects/[org]/[project]/events/[event]/source-map-debug', {
    summary: "Explains why an event's frames have no source context",
    scopes: ['event:read'],
    query: {
      exception_idx: index('The number of an exception, from 0'),
      frame_idx: index('The number of a frame, from 0'),
    },
    answer: SOURCE_MAP_STATE,
    async handle({ ctx, project, params, query }) {
      const explained = await explainSourceMaps(ctx, {
        projectSlug: project.slug,
        eventId: params.event,
      });
      const exceptions = explained.exceptions.map(({ frames }) => ({
        frames: frames.map(serializeFrameDebug),
      }));
      return {
        errors: collectErrors(choose(exceptions, query.exception_idx, query.frame_idx)),
        release: explained.release,
        dist: explained.dist,
        has_debug_ids: explained.hasDebugIds,
        sdk_version: explained.sdkVersion,
        exceptions,
      };
    },
  }),
];

type Described = readonly { frames: readonly FrameDebug[] }[];

function choose(
  exceptions: Described,
  exceptionIndex: number | null,
  frameIndex: number | null,
): readonly FrameDebug[] {
  const requested =
    exceptionIndex === null ? exceptions : exceptions.slice(exceptionIndex, exceptionIndex + 1);
  const frames = requested.flatMap((exception) =>
    frameIndex === null ? exception.frames : exception.frames.slice(frameIndex, frameIndex + 1),
  );
  if (frames.length === 0 && (exceptionIndex !== null || frameIndex !== null)) {
    throw invalid('The event has no such frame: exception and frame indexes start at 0', 'frame_idx');
  }
  return frames;
}

/** A number from 0; null for all. */
function index(description: string): Parameter<number | null> {
  return {
    schema: z.string().describe(description),
    read(searchParams, name) {
      const text = searchParams.get(name) ?? '';
      if (text === '') return null;
      if (!/^\d{1,4}$/.test(text)) throw invalid(`${name} must be a whole number, 0 or greater`, name);
      return Number(text);
    },
  };
}

function collectErrors(frames: readonly FrameDebug[]): readonly SourceMapError[] {
  const errors = new Map<string, SourceMapError>();
  for (const { error } of frames) if (error) errors.set(JSON.stringify(error), error);
  return [...errors.values()];
}
