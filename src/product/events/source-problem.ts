import { z } from 'zod';
import { readNativeImages } from '#pipeline/symbolicate/native/native-images.ts';
import type { FrameProblem } from '#pipeline/symbolicate/symbol-sources.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';

/** Why a frame shows no source of its own. */
export type SourceProblem = FrameProblem;

/** Longer ones are no problem that digest wrote: SDKs may put anything into `data`. */
const TEXT_CHARACTERS_MAX = 8_192;
const DISTS_MAX = 100;

const text = z.string().max(TEXT_CHARACTERS_MAX);
const count = z.number().nonnegative();

const PROBLEM = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('no_debug_id_and_no_release') }),
  z.object({ reason: z.literal('debug_id_not_uploaded'), debugId: text }),
  z.object({ reason: z.literal('release_has_no_files'), release: text }),
  z.object({
    reason: z.literal('file_not_in_release'),
    release: text,
    url: text,
    nearest: text.nullable(),
  }),
  z.object({
    reason: z.literal('other_dist'),
    release: text,
    dist: text.nullable(),
    uploadedDists: z.array(text.nullable()).max(DISTS_MAX),
  }),
  z.object({ reason: z.literal('map_missing'), file: text, mapUrl: text.nullable() }),
  z.object({ reason: z.literal('map_invalid'), file: text, detail: text }),
  z.object({ reason: z.literal('map_too_large'), file: text, bytes: count }),
  z.object({ reason: z.literal('fetch_refused'), url: text, detail: text }),
  z.object({ reason: z.literal('not_loaded_in_time'), url: text }),
  z.object({ reason: z.literal('mapping_not_uploaded'), debugId: text }),
  z.object({ reason: z.literal('debug_file_not_uploaded'), debugId: text, file: text }),
  z.object({ reason: z.literal('debug_file_invalid'), debugId: text, detail: text }),
  z.object({ reason: z.literal('address_without_symbol'), debugId: text, file: text }),
  z.object({ reason: z.literal('mapping_invalid'), debugId: text, detail: text }),
  z.object({ reason: z.literal('no_position') }),
  z.object({ reason: z.literal('line_out_of_range'), file: text, line: count }),
  z.object({ reason: z.literal('column_out_of_range'), file: text, line: count, column: count }),
  z.object({ reason: z.literal('source_content_missing'), file: text, source: text }),
  z.object({ reason: z.literal('source_lines_limit') }),
]) satisfies z.ZodType<SourceProblem>;

/** null when nothing is wrong with the frame, or nobody looked. */
export function readSourceProblem(frame: Pick<Frame, 'data'>): SourceProblem | null {
  const written = frame.data?.source_problem;
  if (written === undefined || written === null) return null;
  return PROBLEM.safeParse(written).data ?? null;
}

export type MissingImage = { name: string; debugId: string };

/** Programs and libraries that frames of the event are in and whose symbols nobody uploaded, as the event was stored. */
export function missingImages(event: NormalizedEvent): readonly MissingImage[] {
  const images: unknown = event.debug_meta?.images;
  if (!Array.isArray(images)) return [];
  return readNativeImages(images)
    .filter(({ index }) => (images[index] as { debug_status?: unknown }).debug_status === 'missing')
    .map(({ name, debugId }) => ({ name, debugId }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
