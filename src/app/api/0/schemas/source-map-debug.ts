import { z } from 'zod';

const ERROR = z
  .object({ type: z.string(), message: z.string(), data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'SourceMapError' });

const FRAME = z.object({
  abs_path: z.string().nullable(),
  lineno: z.number().nullable(),
  colno: z.number().nullable(),
  debug_id: z.string().nullable(),
  is_symbolicated: z.boolean(),
  uploaded: z
    .object({ file: z.string(), found_by: z.string(), source_map: z.string().nullable() })
    .nullable(),
  error: ERROR.nullable(),
});

export const SOURCE_MAP_STATE = z
  .object({
    errors: z.array(ERROR),
    release: z.string().nullable(),
    dist: z.string().nullable(),
    has_debug_ids: z.boolean(),
    sdk_version: z.string().nullable(),
    exceptions: z.array(z.object({ frames: z.array(FRAME) })),
  })
  .meta({ id: 'SourceMapState' });
