import { type ParsedProfile, parseProfile, type ThreadSamples } from '#domain/profiles/parse-profile.ts';
import { recordThread, type ThreadPart } from '#domain/profiles/record-thread.ts';
import type { ThreadProfile } from '#domain/profiles/thread-profile.ts';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import { checkRange } from '#product/time-buckets.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';

/** Bytes of the body of a profile, or of all chunks of one, that a page opens. */
export const OPENED_PROFILE_BYTES_MAX = 24 * 1024 * 1024;
/** Chunks of a continuous profile that a page opens. */
export const OPENED_CHUNKS_MAX = 60;
/** SDKs send a chunk once a minute at the latest; so far before a moment begins the chunk that it is in. */
const CHUNK_MS_MAX = 90_000;

export type OpenedProfile = {
  /** Of a continuous profile the first chunk that is shown. */
  profile: DigestedProfile;
  /** Those with the most samples first, at most 500. */
  threads: readonly { id: string; name: string | null; samples: number }[];
  /** The thread that was asked for, else the transaction's, else the busiest; null where there is none to show. */
  threadId: string | null;
  thread: ThreadProfile | null;
  /** Why there is nothing to show: larger than a page opens, another format, or deleted. */
  problem: 'too-large' | 'format' | 'deleted' | null;
  /** Milliseconds since the epoch: the time that is shown. */
  range: { fromMs: number; toMs: number };
  /** Chunks that are shown; 1 for the profile of a transaction. */
  chunks: number;
  /** There are older chunks in the range, beyond what a page opens. */
  hasMoreChunks: boolean;
};

/** One profile of a transaction, or one chunk. Throws NotFound. */
export async function openProfile(
  ctx: Context,
  input: { projectSlug: string; profileId: string; threadId?: string | null },
): Promise<OpenedProfile> {
  const profile = await getTelemetry(ctx, 'profiles', {
    projectSlug: input.projectSlug,
    id: input.profileId,
  });
  return openRows(ctx, [profile], { threadId: input.threadId ?? null, range: null, hasMoreChunks: false });
}

/**
 * The chunks of a profiler that ran in a range (milliseconds since the epoch), joined and cut to it; the newest chunks for
 * no range. Throws NotFound when none is stored.
 */
export async function openContinuousProfile(
  ctx: Context,
  input: {
    projectSlug: string;
    profilerId: string;
    range: { fromMs: number; toMs: number } | null;
    threadId?: string | null;
  },
): Promise<OpenedProfile> {
  requireRight(ctx, 'event:read');
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
  const rows = found.rows.filter((row) => range === null || endOf(row) >= range.fromMs);
  if (rows.length === 0) {
    throw notFound(
      `Project ${project.slug} has no chunks of the profiler "${input.profilerId.slice(0, 40)}" at this time: they may still be processing, or past their retention period`,
    );
  }
  return openRows(ctx, rows.toReversed(), {
    threadId: input.threadId ?? null,
    range,
    hasMoreChunks: found.next !== null,
  });
}

const endOf = ({ occurredAt, durationMs }: DigestedProfile): number =>
  occurredAt + Math.ceil(durationMs ?? 0);

type Part = { row: DigestedProfile; parsed: ParsedProfile };

/** `rows`: oldest first, at least one. */
async function openRows(
  ctx: Context,
  rows: readonly DigestedProfile[],
  asked: {
    threadId: string | null;
    range: { fromMs: number; toMs: number } | null;
    hasMoreChunks: boolean;
  },
): Promise<OpenedProfile> {
  const { parts, problem, isCut } = await readParts(ctx, rows);
  const first = parts[0]?.row ?? (rows[0] as DigestedProfile);
  const last = parts.at(-1)?.row ?? first;
  const range = asked.range ?? {
    fromMs: first.occurredAt,
    toMs: Math.max(endOf(last), first.occurredAt + 1),
  };
  const threads = countThreads(parts);
  const wanted = [asked.threadId, ...parts.map(({ parsed }) => parsed.activeThreadId)];
  const threadId = wanted.find((id) => threads.some((thread) => thread.id === id)) ?? threads[0]?.id ?? null;
  return {
    profile: first,
    threads,
    threadId,
    thread: threadId === null ? null : recordParts(parts, threadId, asked.range, range.fromMs),
    problem: parts.length > 0 ? null : problem,
    range,
    chunks: parts.length,
    hasMoreChunks: asked.hasMoreChunks || isCut,
  };
}

/** Reads bodies from the newest back, until no more fit. */
async function readParts(
  { stores }: Context,
  rows: readonly DigestedProfile[],
): Promise<{ parts: Part[]; problem: OpenedProfile['problem']; isCut: boolean }> {
  const parts: Part[] = [];
  let bytesLeft = OPENED_PROFILE_BYTES_MAX;
  let problem: OpenedProfile['problem'] = null;
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
    if (parsed) parts.unshift({ row, parsed });
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

function countThreads(parts: readonly Part[]): OpenedProfile['threads'] {
  const byId = new Map<string, { id: string; name: string | null; samples: number }>();
  for (const { id, name, atUs } of parts.flatMap(({ parsed }) => parsed.threads)) {
    const known = byId.get(id);
    byId.set(id, {
      id,
      name: known?.name ?? name,
      samples: (known?.samples ?? 0) + atUs.length,
    });
  }
  return [...byId.values()].toSorted((a, b) => b.samples - a.samples);
}

const US_PER_MS = 1_000;

function recordParts(
  parts: readonly Part[],
  threadId: string,
  range: { fromMs: number; toMs: number } | null,
  originMs: number,
): ThreadProfile {
  const own: ThreadPart[] = parts.flatMap(({ row, parsed }) => {
    const samples = parsed.threads.find(({ id }) => id === threadId);
    return samples ? [{ profile: parsed, samples, shiftUs: shiftOf(row, parsed) }] : [];
  });
  const isDated = parts.some(({ parsed }) => parsed.version === 2);
  return recordThread(own, {
    platform: parts[0]?.row.platform ?? '',
    originUs: isDated ? originMs * US_PER_MS : 0,
    window: range && { fromUs: range.fromMs * US_PER_MS, toUs: range.toMs * US_PER_MS },
  });
}

/** By how much the clock of the sender was put right when the chunk arrived. */
function shiftOf({ occurredAt }: DigestedProfile, { version, threads }: ParsedProfile): number {
  if (version === 1) return 0;
  const firstUs = threads.reduce(
    (first: number, { atUs }: ThreadSamples) => Math.min(first, atUs[0] ?? first),
    Infinity,
  );
  const shiftUs = occurredAt * US_PER_MS - firstUs;
  return Math.abs(shiftUs) < CLOCK_US_MIN ? 0 : shiftUs;
}

/** Less is how times are rounded, or in which order samples were sent. */
const CLOCK_US_MIN = 1_000_000;
