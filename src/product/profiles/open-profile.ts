import { recordThread, type ThreadPart } from '#domain/profiles/record-thread.ts';
import type { ThreadProfile } from '#domain/profiles/thread-profile.ts';
import type { UnmappedFrames } from '#pipeline/symbolicate/javascript/symbolicate-profile.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import type { Range } from '#product/time-buckets.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import {
  type ChunksInput,
  endOfProfile,
  type FrameSymbols,
  findChunks,
  type ProfilePart,
  type ProfileProblem,
  readParts,
  sumUnmapped,
} from './profile-bodies.ts';

export type OpenedProfile = {
  /** Of a continuous profile the first chunk that is shown. */
  profile: DigestedProfile;
  /** Those with the most samples first. */
  threads: readonly { id: string; name: string | null; samples: number }[];
  /** The thread that was asked for, else the transaction's, else the busiest; null where there is none to show. */
  threadId: string | null;
  thread: ThreadProfile | null;
  /** Why there is nothing to show. */
  problem: ProfileProblem | null;
  /** Milliseconds since the epoch: the time that is shown. */
  range: Range;
  /** Chunks that are shown; 1 for the profile of a transaction. */
  chunks: number;
  /** There are older chunks in the range, beyond what is opened at once. */
  hasMoreChunks: boolean;
  /** Why frames of bundled JavaScript are shown as they were sent; empty when none is. */
  unmapped: readonly UnmappedFrames[];
};

/** One profile of a transaction, or one chunk. Throws NotFound. */
export async function openProfile(
  ctx: Context,
  symbols: FrameSymbols,
  input: { projectSlug: string; profileId: string; threadId?: string | null },
): Promise<OpenedProfile> {
  const { projectSlug, profileId: id } = input;
  const profile = await getTelemetry(ctx, 'profiles', { projectSlug, id });
  return openRows(ctx, symbols, [profile], {
    threadId: input.threadId ?? null,
    range: null,
    hasMoreChunks: false,
  });
}

/** The chunks of a profiler that ran in a range, joined and cut to it. Throws NotFound when none is stored. */
export async function openContinuousProfile(
  ctx: Context,
  symbols: FrameSymbols,
  input: ChunksInput & { threadId?: string | null },
): Promise<OpenedProfile> {
  requireRight(ctx, 'event:read');
  const { rows, hasMore } = await findChunks(ctx, input);
  const { range } = input;
  return openRows(ctx, symbols, rows, { threadId: input.threadId ?? null, range, hasMoreChunks: hasMore });
}

/** `rows`: oldest first, at least one. */
async function openRows(
  ctx: Context,
  symbols: FrameSymbols,
  rows: readonly DigestedProfile[],
  asked: { threadId: string | null; range: Range | null; hasMoreChunks: boolean },
): Promise<OpenedProfile> {
  const { parts, problem, isCut } = await readParts(ctx, rows, symbols);
  const first = parts[0]?.row ?? (rows[0] as DigestedProfile);
  const toMs = endOfProfile(parts.at(-1)?.row ?? first);
  const range = asked.range ?? {
    fromMs: first.occurredAt,
    toMs: Math.max(toMs, first.occurredAt + 1),
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
    unmapped: sumUnmapped(parts),
  };
}

function countThreads(parts: readonly ProfilePart[]): OpenedProfile['threads'] {
  const byId = new Map<string, { id: string; name: string | null; samples: number }>();
  for (const { id, name, atUs } of parts.flatMap(({ parsed }) => parsed.threads)) {
    const known = byId.get(id);
    byId.set(id, { id, name: known?.name ?? name, samples: (known?.samples ?? 0) + atUs.length });
  }
  return [...byId.values()].toSorted((a, b) => b.samples - a.samples);
}

const US_PER_MS = 1_000;

function recordParts(
  parts: readonly ProfilePart[],
  threadId: string,
  range: Range | null,
  originMs: number,
): ThreadProfile {
  const own: ThreadPart[] = parts.flatMap(({ parsed, shiftUs }) => {
    const samples = parsed.threads.find(({ id }) => id === threadId);
    return samples ? [{ profile: parsed, samples, shiftUs }] : [];
  });
  const isDated = parts.some(({ parsed }) => parsed.version === 2);
  return recordThread(own, {
    platform: parts[0]?.row.platform ?? '',
    originUs: isDated ? originMs * US_PER_MS : 0,
    window: range && { fromUs: range.fromMs * US_PER_MS, toUs: range.toMs * US_PER_MS },
  });
}
