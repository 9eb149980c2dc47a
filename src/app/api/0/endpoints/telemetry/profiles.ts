import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import { listRows, telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { DOWNLOAD } from '#app/api/0/query.ts';
import { PROFILE, serializeProfile } from '#app/api/0/shapes/telemetry.ts';
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
    query: { ...DOWNLOAD },
    answer: PROFILE,
    async handle({ ctx, project, params, query }) {
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
];
