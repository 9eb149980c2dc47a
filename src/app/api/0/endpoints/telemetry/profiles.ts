import { Readable } from 'node:stream';
import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import { listRows, telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { DOWNLOAD, ENVIRONMENTS, PROJECTS, RANGE, SEARCH, text } from '#app/api/0/query.ts';
import { FLAMEGRAPH, serializeFlamegraph } from '#app/api/0/shapes/flamegraph.ts';
import {
  PROFILE_CHUNK,
  serializeProfileChunk,
  serializeTransactionProfile,
  TRANSACTION_PROFILE,
} from '#app/api/0/shapes/profile-samples.ts';
import { PROFILE, serializeProfile } from '#app/api/0/shapes/telemetry.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { exportSpeedscope } from '#product/profiles/export-speedscope.ts';
import { openMergedProfile } from '#product/profiles/open-merged-profile.ts';
import { getChunkSamples, getProfileSamples } from '#product/profiles/profile-samples.ts';
import { readMergeSearch } from '#product/profiles/read-merge-search.ts';
import { getServices } from '#product/services.ts';
import { getTelemetry, openBlob } from '#product/telemetry/telemetry.ts';

export const profileOperations: readonly Operation[] = [
  get('projects/[org]/[project]/profiles', {
    summary: "Lists a project's profiles",
    scopes: ['event:read'],
    query: telemetryQuery(['traceId', 'profilerId', 'name', 'release', 'environment']),
    answer: z.array(PROFILE),
    isPaged: true,
    handle: listRows('profiles', serializeProfile),
  }),

  /** What is known of a profile or of a chunk of one; with `?download=1` its body. */
  get('projects/[org]/[project]/profiles/[profile]', {
    summary: 'Retrieves a profile, or its body with "download"',
    scopes: ['event:read'],
    query: { ...DOWNLOAD, format: text('"speedscope" for a download that speedscope opens') },
    answer: PROFILE,
    async handle({ ctx, project, params, query }) {
      if (query.isDownload && query.format === 'speedscope') {
        const asked = { projectSlug: project.slug, profileId: params.profile };
        const file = Buffer.from(JSON.stringify(await exportSpeedscope(ctx, getServices().symbols, asked)));
        return answerDownload(
          { content: Readable.from([file]), bytes: file.length },
          { name: `${params.profile}.speedscope.json`, contentType: 'application/json' },
        );
      }
      const profile = await getTelemetry(ctx, 'profiles', {
        projectSlug: project.slug,
        id: params.profile,
      });
      if (!query.isDownload) return serializeProfile(profile);
      return answerDownload(await openBlob(ctx, profile), {
        name: `${profile.profileId}.json`,
        contentType: 'application/json',
      });
    },
  }),

  /** The samples of a profile, as Sentry's clients read them. */
  get('projects/[org]/[project]/profiling/profiles/[profile]', {
    summary: "Retrieves the samples of a transaction's profile",
    scopes: ['event:read'],
    answer: TRANSACTION_PROFILE,
    async handle({ ctx, project, params }) {
      const { profile: profileId } = params;
      return serializeTransactionProfile(
        await getProfileSamples(ctx, getServices().symbols, { projectSlug: project.slug, profileId }),
      );
    },
  }),

  /** Profiles of a transaction, or of a project, merged. */
  get('organizations/[org]/profiling/flamegraph', {
    summary: 'Retrieves the flame graph of many profiles',
    scopes: ['event:read'],
    query: { ...PROJECTS, ...RANGE, ...ENVIRONMENTS, ...SEARCH },
    answer: FLAMEGRAPH,
    async handle({ ctx, query: { projectSlugs, range, environments, search } }) {
      const { transaction, release, environments: searched } = readMergeSearch(search ?? '');
      const merge = await openMergedProfile(ctx, getServices().symbols, {
        projectSlug: onlyProject(projectSlugs),
        transaction,
        release,
        environments: [...environments, ...searched],
        range: range ?? { fromMs: ctx.now() - DEFAULT_RANGE_MS, toMs: ctx.now() },
      });
      return serializeFlamegraph(merge, transaction);
    },
  }),

  /** The chunks of a profiler in a time range, as one. */
  get('organizations/[org]/profiling/chunks', {
    summary: 'Retrieves the samples of a continuous profile',
    scopes: ['event:read'],
    query: { ...PROJECTS, ...RANGE, profiler_id: text('ID of the profiler') },
    answer: z.object({ chunk: PROFILE_CHUNK }),
    async handle({ ctx, query: { projectSlugs, range, profiler_id: profilerId } }) {
      const projectSlug = onlyProject(projectSlugs);
      if (!profilerId) throw invalid('Name the profiler', 'profiler_id');
      return {
        chunk: serializeProfileChunk(
          await getChunkSamples(ctx, getServices().symbols, { projectSlug, profilerId, range }),
        ),
      };
    },
  }),
];

const DEFAULT_RANGE_MS = 7 * DAY_MS;

function onlyProject([slug, ...others]: readonly string[]): string {
  if (slug === undefined || others.length > 0) throw invalid('Name one project', 'project');
  return slug;
}
