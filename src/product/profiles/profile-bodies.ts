import { type ParsedProfile, parseProfile } from '#domain/profiles/parse-profile.ts';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { notFound } from '#lib/errors.ts';
import {
  type SymbolicatedProfile,
  symbolicateProfile,
  type UnmappedFrames,
} from '#pipeline/symbolicate/javascript/symbolicate-profile.ts';
import type { Context } from '#product/context.ts';
import { type LoadableFiles, type WaitBudget, withSymbols } from '#product/symbolication/project-symbols.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';

/** Bytes of the body of a profile, or of all chunks of one, that are opened at once. */
export const OPENED_PROFILE_BYTES_MAX = 24 * 1024 * 1024;
/** Chunks of a continuous profile that are opened at once. */
export const OPENED_CHUNKS_MAX = 60;
/** SDKs send a chunk once a minute at the latest; so far before a moment begins the chunk that it is in. */
export const CHUNK_MS_MAX = 90_000;
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
  /** Why frames stayed as they were sent. */
  unmapped: readonly UnmappedFrames[];
};

/** Uploaded source maps, by which frames of bundled JavaScript are shown as they were written. */
export type FrameSymbols = LoadableFiles;
/** So long a page waits for source maps; those that come later are there when it is opened again. */
const SYMBOLS_WAIT_MS = 4_000;

/** Why a body cannot be read: larger than what is opened at once, another format, or deleted. */
export type ProfileProblem = 'too-large' | 'format' | 'deleted';

/** Reads bodies from the newest back, until no more fit; answers the oldest first. `rows`: oldest first. */
export async function readParts(
  ctx: Context,
  rows: readonly DigestedProfile[],
  symbols: FrameSymbols,
): Promise<{ parts: ProfilePart[]; problem: ProfileProblem | null; isCut: boolean }> {
  const parts: ProfilePart[] = [];
  const budget = { leftMs: SYMBOLS_WAIT_MS };
  let bytesLeft = OPENED_PROFILE_BYTES_MAX;
  let problem: ProfileProblem | null = null;
  for (const row of rows.toReversed()) {
    const bytes = await ctx.stores.blobs.size(row.blobKey);
    if (bytes === null) {
      problem ??= 'deleted';
      continue;
    }
    if (bytes > bytesLeft) return { parts, problem: problem ?? 'too-large', isCut: parts.length > 0 };
    bytesLeft -= bytes;
    const part = await readPart(ctx, row, bytes, { symbols, budget });
    if (part) parts.unshift(part);
    else problem ??= 'format';
  }
  return { parts, problem, isCut: false };
}

/** null when it is gone, or in another format. `bytes`: of the body. */
export async function readPart(
  { stores, organization }: Context,
  row: DigestedProfile,
  bytes: number,
  { symbols, budget }: { symbols: FrameSymbols; budget: WaitBudget },
): Promise<ProfilePart | null> {
  const content = await stores.blobs.readWhole(row.blobKey, bytes);
  const sent = content && readJson(content);
  if (!sent) return null;
  const scope = { organizationId: organization.id, projectId: row.projectId };
  const { body, unmapped } = await withSymbols(
    symbols,
    scope,
    budget,
    (sources): SymbolicatedProfile => symbolicateProfile(sent.json, row.release, sources),
  );
  const parsed = parseProfile(body);
  return parsed && { row, parsed, shiftUs: shiftOf(row, parsed), unmapped };
}

/** null for what is no JSON. */
function readJson(body: Buffer): { json: unknown } | null {
  try {
    return { json: parseBoundedJson(body.toString('utf8')) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Each reason once, the one of most frames first. */
export function sumUnmapped(parts: readonly Pick<ProfilePart, 'unmapped'>[]): readonly UnmappedFrames[] {
  const found = new Map<string, UnmappedFrames>();
  for (const { problem, frames } of parts.flatMap(({ unmapped }) => unmapped)) {
    const known = found.get(problem.reason) ?? { problem, frames: 0 };
    // Chunks and profiles of one program have the same frames.
    found.set(problem.reason, { ...known, frames: Math.max(known.frames, frames) });
  }
  return [...found.values()].sort((a, b) => b.frames - a.frames);
}

function shiftOf({ occurredAt }: DigestedProfile, { version, threads }: ParsedProfile): number {
  if (version === 1) return 0;
  const firstUs = threads.reduce((first, { atUs }) => Math.min(first, atUs[0] ?? first), Infinity);
  const shiftUs = occurredAt * US_PER_MS - firstUs;
  return Number.isFinite(shiftUs) && Math.abs(shiftUs) >= CLOCK_US_MIN ? shiftUs : 0;
}

/** Less is how times are rounded, or in which order samples were sent. */
const CLOCK_US_MIN = 1_000_000;
