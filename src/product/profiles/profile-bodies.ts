import { type ParsedProfile, parseProfile } from '#domain/profiles/parse-profile.ts';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';

/** Bytes of the body of a profile, or of all chunks of one, that are opened at once. */
export const OPENED_PROFILE_BYTES_MAX = 24 * 1024 * 1024;
/** Chunks of a continuous profile that are opened at once. */
export const OPENED_CHUNKS_MAX = 60;
/** SDKs send a chunk once a minute at the latest; so far before a moment begins the chunk that it is in. */
const CHUNK_MS_MAX = 90_000;
const US_PER_MS = 1_000;

export type ChunksInput = {
  projectSlug: string;
  profilerId: string;
  /** Milliseconds since the epoch; null for the newest chunks. */
  range: Range | null;
};

/** The chunks of a profiler in a range, oldest first. Throws NotFound when none is stored. */
export async function findChunks(
  ctx: Context,
  input: ChunksInput,
): Promise<{ rows: readonly DigestedProfile[]; hasMore: boolean }> {
  const { range } = input;
  if (range) checkRange(range);
  const project = await selectProject(ctx, input.projectSlug);
  const profilerId = parseEventId(input.profilerId);
  const found =
    profilerId === null
      ? { rows: [], next: null }
      : await ctx.stores.telemetry.list('profiles', eventScope(ctx, [project.id]), {
          limit: OPENED_CHUNKS_MAX,
          before: null,
          range: range && { fromMs: Math.max(0, range.fromMs - CHUNK_MS_MAX), toMs: range.toMs },
          filter: { profilerId },
        });
  const rows = found.rows.filter((row) => range === null || endOfProfile(row) >= range.fromMs);
  if (rows.length === 0) {
    throw notFound(
      `Project ${project.slug} has no chunks of the profiler "${input.profilerId.slice(0, 40)}" at this time: they may still be processing, or past their retention period`,
    );
  }
  return { rows: rows.toReversed(), hasMore: found.next !== null };
}

/** Milliseconds since the epoch. */
export const endOfProfile = ({ occurredAt, durationMs }: DigestedProfile): number =>
  occurredAt + Math.ceil(durationMs ?? 0);

/** A profile, or a chunk of one, with what its body says. */
export type ProfilePart = {
  row: DigestedProfile;
  parsed: ParsedProfile;
  /** Microseconds by which the clock of the sender was put right when it arrived. */
  shiftUs: number;
};

/** Why a body cannot be read: larger than what is opened at once, another format, or deleted. */
export type ProfileProblem = 'too-large' | 'format' | 'deleted';

/** Reads bodies from the newest back, until no more fit; answers the oldest first. `rows`: oldest first. */
export async function readParts(
  { stores }: Context,
  rows: readonly DigestedProfile[],
): Promise<{ parts: ProfilePart[]; problem: ProfileProblem | null; isCut: boolean }> {
  const parts: ProfilePart[] = [];
  let bytesLeft = OPENED_PROFILE_BYTES_MAX;
  let problem: ProfileProblem | null = null;
  for (const row of rows.toReversed()) {
    const bytes = await stores.blobs.size(row.blobKey);
    if (bytes === null) {
      problem ??= 'deleted';
      continue;
    }
    if (bytes > bytesLeft) return { parts, problem: problem ?? 'too-large', isCut: parts.length > 0 };
    bytesLeft -= bytes;
    const body = await stores.blobs.readWhole(row.blobKey, bytes);
    const parsed = body && readBody(body);
    if (parsed) parts.unshift({ row, parsed, shiftUs: shiftOf(row, parsed) });
    else problem ??= 'format';
  }
  return { parts, problem, isCut: false };
}

function readBody(body: Buffer): ParsedProfile | null {
  try {
    return parseProfile(parseBoundedJson(body.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function shiftOf({ occurredAt }: DigestedProfile, { version, threads }: ParsedProfile): number {
  if (version === 1) return 0;
  const firstUs = threads.reduce((first, { atUs }) => Math.min(first, atUs[0] ?? first), Infinity);
  const shiftUs = occurredAt * US_PER_MS - firstUs;
  return Number.isFinite(shiftUs) && Math.abs(shiftUs) >= CLOCK_US_MIN ? shiftUs : 0;
}

/** Less is how times are rounded, or in which order samples were sent. */
const CLOCK_US_MIN = 1_000_000;
