import { z } from 'zod';
import { sourceProblemText } from '#app/[org]/issues/[issue]/event/source-problem/source-problem-text.ts';
import { each } from '#app/api/0/shape.ts';
import type { ExplainedFrame } from '#product/artifacts/explain-source-maps.ts';
import type { SourceProblem } from '#product/events/source-problem.ts';

/** In Sentry's shape; `data.reason` and what belongs to it are more exact than its types. */
export const SOURCE_MAP_ERROR = z
  .object({ ...each(z.string(), 'type', 'message'), data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'SourceMapError' });

export type SourceMapError = z.infer<typeof SOURCE_MAP_ERROR>;

export const FRAME_DEBUG = z.object({
  abs_path: z.string().nullable(),
  lineno: z.number().nullable(),
  colno: z.number().nullable(),
  debug_id: z.string().nullable(),
  is_symbolicated: z.boolean(),
  /** The upload that has the script now; null when there is none, or the frame is not from a script. */
  uploaded: z
    .object({ file: z.string(), found_by: z.string(), source_map: z.string().nullable() })
    .nullable(),
  error: SOURCE_MAP_ERROR.nullable(),
});

export type FrameDebug = z.infer<typeof FRAME_DEBUG>;

/** Reasons about missing files: an upload resolves them. */
const OF_UPLOADS: ReadonlySet<SourceProblem['reason']> = new Set([
  'no_debug_id_and_no_release',
  'debug_id_not_uploaded',
  'release_has_no_files',
  'file_not_in_release',
  'other_dist',
  'map_missing',
  'fetch_refused',
  'not_loaded_in_time',
]);

export function serializeFrameDebug({
  frame,
  isSymbolicated,
  problem,
  debugId,
  now,
}: ExplainedFrame): FrameDebug {
  const absPath = frame.abs_path ?? frame.filename ?? null;
  return {
    abs_path: absPath,
    lineno: frame.lineno ?? null,
    colno: frame.colno ?? null,
    debug_id: debugId,
    is_symbolicated: isSymbolicated,
    uploaded: now?.kind === 'located' ? { file: now.file, found_by: now.foundBy, source_map: now.map } : null,
    error: findError(),
  };

  function findError(): SourceMapError | null {
    if (now?.kind === 'absent' && !isSymbolicated) return describe(now.problem);
    if (now?.kind === 'located' && problem && OF_UPLOADS.has(problem.reason)) {
      return {
        type: 'unknown_error',
        message: 'The event arrived before the files for this script were uploaded.',
        data: {
          reason: 'not_applied',
          absPath,
          nextStep: 'Reprocess stored events with the upload on the release or issue page.',
        },
      };
    }
    return problem && describe(problem);
  }

  function describe(cause: SourceProblem): SourceMapError {
    const { what, next } = sourceProblemText(cause);
    return { type: typeOf(cause), message: what, data: { ...cause, absPath, nextStep: next } };
  }
}

/** The nearest of Sentry's types. */
function typeOf(problem: SourceProblem): string {
  switch (problem.reason) {
    case 'no_debug_id_and_no_release':
      return 'no_release_on_event';
    case 'release_has_no_files':
      return 'no_sourcemaps_on_release';
    case 'file_not_in_release':
      return problem.nearest === null ? 'no_url_match' : 'partial_match';
    case 'other_dist':
      return 'dist_mismatch';
    case 'debug_id_not_uploaded':
    case 'map_missing':
      return 'sourcemap_not_found';
    default:
      return 'unknown_error';
  }
}
