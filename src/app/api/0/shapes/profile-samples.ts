import { z } from 'zod';
import { each, shapeOf } from '#app/api/0/shape.ts';
import type { ProfileFrame } from '#domain/profiles/profile-frames.ts';
import type { ProfileSamples } from '#product/profiles/profile-samples.ts';

const TEXT_OR_NULL = z.string().nullable();
const NUMBER_OR_NULL = z.number().nullable();

const [FRAME, serializeFrame] = shapeOf<ProfileFrame>()({
  function: [z.string(), 'name'],
  module: [TEXT_OR_NULL, ({ module }) => module || null],
  filename: [TEXT_OR_NULL, ({ file }) => file || null],
  lineno: [NUMBER_OR_NULL, 'line'],
  colno: [NUMBER_OR_NULL, 'column'],
  in_app: [z.boolean(), ({ isLibrary }) => !isLibrary],
});

const profileOf = <Sample extends z.ZodType>(sample: Sample) =>
  z.object({
    frames: z.array(FRAME),
    stacks: z.array(z.array(z.number())),
    samples: z.array(sample),
    thread_metadata: z.record(z.string(), z.object({ name: TEXT_OR_NULL })),
  });

const partsOf = ({ frames, stacks, threadNames }: ProfileSamples) => ({
  frames: frames.map((frame) => serializeFrame(frame)),
  stacks,
  thread_metadata: threadNames,
});

const FACTS = {
  platform: [z.string(), ({ profile }) => profile.platform],
  release: [TEXT_OR_NULL, ({ profile }) => profile.release],
  environment: [TEXT_OR_NULL, ({ profile }) => profile.environment],
} as const satisfies Readonly<Record<string, readonly [z.ZodType, (row: ProfileSamples) => unknown]>>;

const id = ({ profile }: ProfileSamples) => profile.profileId;

/** Source: https://github.com/getsentry/sentry/blob/master/static/app/types/profiling.d.ts */
export const [TRANSACTION_PROFILE, serializeTransactionProfile] = shapeOf<ProfileSamples>()(
  {
    ...each([z.string(), id], 'event_id', 'profile_id'),
    ...FACTS,
    version: [z.literal('1'), () => '1' as const],
    transaction: [
      z.object({
        name: z.string(),
        trace_id: z.string(),
        active_thread_id: z.string(),
      }),
      ({ profile, activeThreadId, samples }) => ({
        name: profile.transactionName ?? '',
        trace_id: profile.traceId ?? '',
        active_thread_id: activeThreadId ?? samples[0]?.threadId ?? '0',
      }),
    ],
    profile: [
      profileOf(
        z.object({ stack_id: z.number(), thread_id: z.string(), elapsed_since_start_ns: z.number() }),
      ),
      (row) => ({
        ...partsOf(row),
        samples: row.samples.map(({ atUs, stack, threadId }) => ({
          stack_id: stack,
          thread_id: threadId,
          elapsed_since_start_ns: atUs * 1_000,
        })),
      }),
    ],
  },
  'TransactionProfile',
);

/** Source: https://github.com/getsentry/sentry/blob/master/static/app/types/profiling.d.ts */
export const [PROFILE_CHUNK, serializeProfileChunk] = shapeOf<ProfileSamples>()(
  {
    chunk_id: [z.string(), id],
    profiler_id: [z.string(), ({ profile }) => profile.profilerId ?? ''],
    ...FACTS,
    version: [z.literal('2'), () => '2' as const],
    profile: [
      profileOf(z.object({ stack_id: z.number(), thread_id: z.string(), timestamp: z.number() })),
      (row) => ({
        ...partsOf(row),
        samples: row.samples.map(({ atUs, stack, threadId }) => ({
          stack_id: stack,
          thread_id: threadId,
          /** Seconds since the epoch. */
          timestamp: atUs / 1_000_000,
        })),
      }),
    ],
  },
  'ProfileChunk',
);
