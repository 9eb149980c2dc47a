import { FrameTable, type ProfileFrame } from '#domain/profiles/profile-frames.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import type { Range } from '#product/time-buckets.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import {
  type ChunksInput,
  type FrameSymbols,
  findChunks,
  type ProfilePart,
  type ProfileProblem,
  readParts,
} from './profile-bodies.ts';

/** A profile as SDKs send it, of all its threads; chunks are one. */
export type ProfileSamples = {
  /** Of a continuous profile its first chunk. */
  profile: DigestedProfile;
  frames: readonly ProfileFrame[];
  /** Indexes of `frames`, the innermost call first. */
  stacks: readonly (readonly number[])[];
  /** Microseconds: after the beginning of a transaction's profile, since the epoch of a continuous one. */
  samples: readonly { atUs: number; stack: number; threadId: string }[];
  threadNames: Readonly<Record<string, { name: string | null }>>;
  activeThreadId: string | null;
};

/** The samples of one profile of a transaction. Throws NotFound, also for a body that cannot be read. */
export async function getProfileSamples(
  ctx: Context,
  symbols: FrameSymbols,
  { projectSlug, profileId: id }: { projectSlug: string; profileId: string },
): Promise<ProfileSamples> {
  const profile = await getTelemetry(ctx, 'profiles', { projectSlug, id });
  return joinSamples(await readOrThrow(ctx, symbols, [profile]), null);
}

/** The samples of a profiler in a range, as one chunk. Throws NotFound, also for bodies that cannot be read. */
export async function getChunkSamples(
  ctx: Context,
  symbols: FrameSymbols,
  input: ChunksInput,
): Promise<ProfileSamples> {
  requireRight(ctx, 'event:read');
  const { rows } = await findChunks(ctx, input);
  return joinSamples(await readOrThrow(ctx, symbols, rows), input.range);
}

type Parts = readonly [ProfilePart, ...ProfilePart[]];

/** What `readParts` reads. Throws NotFound when it is nothing. */
export async function readOrThrow(
  ctx: Context,
  symbols: FrameSymbols,
  rows: readonly DigestedProfile[],
): Promise<Parts> {
  const { parts, problem } = await readParts(ctx, rows, symbols);
  const [first, ...others] = parts;
  if (!first) throw notFound(`The samples of the profile cannot be read: ${PROBLEMS[problem ?? 'deleted']}`);
  return [first, ...others];
}

const PROBLEMS: Readonly<Record<ProfileProblem, string>> = {
  'too-large': 'it is too large; download it instead',
  format: 'it is not in the sample format; download it instead',
  deleted: 'they are past their retention period',
};

const US_PER_MS = 1_000;

function joinSamples(parts: Parts, range: Range | null): ProfileSamples {
  const [first] = parts;
  const table = new FrameTable(first.row.platform);
  const stacks: number[][] = [];
  const samples: ProfileSamples['samples'][number][] = [];
  const names = new Map<string, { name: string | null }>();
  for (const { parsed, shiftUs } of parts) {
    const offset = stacks.length;
    const indexes = parsed.frames.map((frame) => table.addFrame(frame));
    for (const stack of parsed.stacks) {
      stacks.push(stack.flatMap((frame) => indexes[frame] ?? []).toReversed());
    }
    for (const { id, name, atUs, stacks: own } of parsed.threads) {
      names.set(id, { name });
      for (const [index, sentUs] of atUs.entries()) {
        const us = sentUs + shiftUs;
        if (range && (us < range.fromMs * US_PER_MS || us > range.toMs * US_PER_MS)) continue;
        samples.push({ atUs: us, stack: (own[index] as number) + offset, threadId: id });
      }
    }
  }
  return {
    profile: first.row,
    frames: table.frames,
    stacks,
    samples: samples.toSorted((a, b) => a.atUs - b.atUs),
    threadNames: Object.fromEntries(names),
    activeThreadId: first.parsed.activeThreadId,
  };
}
