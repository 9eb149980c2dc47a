import { createHash } from 'node:crypto';
import { z } from 'zod';
import { always, shapeOf } from '#app/api/0/shape.ts';
import type { MergedFunction } from '#domain/profiles/merge-profiles.ts';
import { keyAcrossReleases, type ProfileFrame } from '#domain/profiles/profile-frames.ts';
import type { OpenedMerge } from '#product/profiles/open-merged-profile.ts';
import { endOfProfile } from '#product/profiles/profile-bodies.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';

const NS_PER_US = 1_000;
const MS_PER_SECOND = 1_000;

const [FRAME, serializeFrame] = shapeOf<ProfileFrame, [platform: string]>()({
  name: z.string(),
  file: z.string(),
  path: [z.string(), 'file'],
  image: [z.string(), 'module'],
  line: [z.number(), ({ line }) => line ?? 0],
  is_application: [z.boolean(), ({ isLibrary }) => !isLibrary],
  /** The same function has the same one in every answer. */
  fingerprint: [z.number(), (frame, platform) => fingerprintOf(platform, frame)],
});

const nanoseconds = (us: number | undefined): number => Math.round((us ?? 0) * NS_PER_US);

/** Of ascending values; undefined for none. */
const quantile = (values: readonly number[], share: number): number | undefined =>
  values[Math.max(0, Math.ceil(values.length * share) - 1)];

/** Times in nanoseconds. The quantiles are of the time in one profile. */
const [FRAME_INFO, serializeFrameInfo] = shapeOf<MergedFunction>()({
  count: [z.number(), 'samples'],
  weight: [z.number(), ({ totalUs }) => nanoseconds(totalUs)],
  sumDuration: [z.number(), ({ totalUs }) => nanoseconds(totalUs)],
  sumSelfTime: [z.number(), ({ selfUs }) => nanoseconds(selfUs)],
  p75Duration: [z.number(), ({ totalsUs }) => nanoseconds(quantile(totalsUs, 0.75))],
  p95Duration: [z.number(), ({ totalsUs }) => nanoseconds(quantile(totalsUs, 0.95))],
  p99Duration: [z.number(), ({ totalsUs }) => nanoseconds(quantile(totalsUs, 0.99))],
});

const NO_TIME: MergedFunction = {
  frame: 0,
  selfUs: 0,
  totalUs: 0,
  samples: 0,
  selfSamples: 0,
  totalsUs: [],
};

/** Seconds since the epoch. */
const [EXAMPLE, serializeExample] = shapeOf<DigestedProfile>()({
  project_id: [z.number(), 'projectId'],
  profile_id: [z.string().optional(), (row) => (row.profilerId === null ? row.profileId : undefined)],
  profiler_id: [z.string().optional(), ({ profilerId }) => profilerId ?? undefined],
  chunk_id: [z.string().optional(), (row) => (row.profilerId === null ? undefined : row.profileId)],
  start: [z.number(), ({ occurredAt }) => occurredAt / MS_PER_SECOND],
  end: [z.number(), (row) => endOfProfile(row) / MS_PER_SECOND],
});

const PROFILE = z.object({
  name: z.string(),
  type: z.literal('sampled'),
  unit: z.literal('nanoseconds'),
  isMainThread: z.boolean(),
  threadID: z.number(),
  startValue: z.number(),
  endValue: z.number(),
  /** Indexes of the frames, the outermost call first. */
  samples: z.array(z.array(z.number())),
  weights: z.array(z.number()),
  sample_durations_ns: z.array(z.number()),
  sample_counts: z.array(z.number()),
});

/** Source: https://github.com/getsentry/sentry/blob/master/static/app/types/profiling.d.ts */
export const [FLAMEGRAPH, serializeFlamegraph] = shapeOf<OpenedMerge, [transaction: string | null]>()(
  {
    activeProfileIndex: always(z.literal(0), 0),
    platform: z.string(),
    projectID: [z.number(), 'projectId'],
    transactionName: [z.string(), (_, transaction) => transaction ?? ''],
    metadata: [
      z.object({ platform: z.string(), projectID: z.number(), transactionName: z.string() }),
      ({ platform, projectId }, transaction) => ({
        platform,
        projectID: projectId,
        transactionName: transaction ?? '',
      }),
    ],
    profiles: [z.array(PROFILE), (merge, transaction) => toProfiles(merge, transaction)],
    shared: [
      z.object({
        frames: z.array(FRAME),
        frame_infos: z.array(FRAME_INFO),
        profiles: z.array(EXAMPLE),
      }),
      ({ platform, thread, functions, rows }) => {
        const infos = new Map(functions.map((row) => [row.frame, row]));
        return {
          frames: thread.frames.map((frame) => serializeFrame(frame, platform)),
          frame_infos: thread.frames.map((_, index) => serializeFrameInfo(infos.get(index) ?? NO_TIME)),
          profiles: rows.map((row) => serializeExample(row)),
        };
      },
    ],
  },
  'Flamegraph',
);

/** All merged profiles as one; none when there is none. */
function toProfiles(
  { thread, profiles }: OpenedMerge,
  transaction: string | null,
): z.infer<typeof PROFILE>[] {
  if (profiles === 0) return [];
  const { nodes, runs, durationUs } = thread;
  const durations = runs.durationUs.map(nanoseconds);
  return [
    {
      name: transaction ?? '',
      type: 'sampled',
      unit: 'nanoseconds',
      isMainThread: true,
      threadID: 0,
      startValue: 0,
      endValue: nanoseconds(durationUs),
      samples: runs.nodes.map((leaf) => {
        const stack: number[] = [];
        for (let node = leaf; node >= 0; node = nodes.parents[node] as number) {
          stack.push(nodes.frames[node] as number);
        }
        return stack.reverse();
      }),
      weights: durations,
      sample_durations_ns: durations,
      sample_counts: [...runs.samples],
    },
  ];
}

function fingerprintOf(platform: string, frame: ProfileFrame): number {
  return createHash('sha256').update(keyAcrossReleases(platform, frame)).digest().readUInt32BE();
}
