import { recordThread } from '#domain/profiles/record-thread.ts';
import { toSpeedscope } from '#domain/profiles/to-speedscope.ts';
import type { Context } from '#product/context.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import type { FrameSymbols } from './profile-bodies.ts';
import { readOrThrow } from './profile-samples.ts';

const US_PER_MS = 1_000;

/** A profile, or a chunk of one, in the format of speedscope. Throws NotFound, also for a body that cannot be read. */
export async function exportSpeedscope(
  ctx: Context,
  symbols: FrameSymbols,
  { projectSlug, profileId: id }: { projectSlug: string; profileId: string },
): Promise<ReturnType<typeof toSpeedscope>> {
  const profile = await getTelemetry(ctx, 'profiles', { projectSlug, id });
  const [{ parsed, shiftUs, row }] = await readOrThrow(ctx, symbols, [profile]);
  const originUs = parsed.version === 2 ? row.occurredAt * US_PER_MS : 0;
  const threads = parsed.threads.toSorted(
    (a, b) => Number(b.id === parsed.activeThreadId) - Number(a.id === parsed.activeThreadId),
  );
  return toSpeedscope(
    row.transactionName ?? `Profiler ${row.profilerId ?? row.profileId}`,
    threads.map(({ name, ...samples }) => ({
      name: name ?? `Thread ${samples.id}`,
      thread: recordThread([{ profile: parsed, samples: { name, ...samples }, shiftUs }], {
        platform: row.platform,
        originUs,
        window: null,
      }),
    })),
  );
}
