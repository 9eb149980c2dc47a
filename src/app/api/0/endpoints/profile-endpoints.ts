import { z } from 'zod';
import { answerDownload } from '#app/api/0/answer-download.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { DOWNLOAD, keptBy, PAGE, RANGE } from '#app/api/0/parameters.ts';
import { isDownload } from '#app/api/0/read-parameters.ts';
import { PROFILE } from '#app/api/0/schemas/telemetry.ts';
import { serializeProfile } from '#app/api/0/serializers/serialize-telemetry.ts';
import { getTelemetry, openBlob } from '#product/telemetry/telemetry.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

const LIST_PROFILES = {
  summary: 'Lists profiles of a project',
  scopes: ['event:read'],
  query: { ...keptBy(['traceId', 'profilerId', 'name', 'release', 'environment']), ...PAGE, ...RANGE },
  answer: z.array(PROFILE),
  isPaged: true,
} satisfies Operation;

export const listProfilesEndpoint = declare(
  LIST_PROFILES,
  telemetryListEndpoint(
    'profiles',
    ['traceId', 'profilerId', 'name', 'release', 'environment'],
    serializeProfile,
  ),
);

const GET_PROFILE = {
  summary: 'Answers a profile, or its body with "download"',
  scopes: ['event:read'],
  query: { ...DOWNLOAD },
  answer: PROFILE,
} satisfies Operation;

/** What is known of a profile or of a chunk of one; with `?download=1` its body. */
export const getProfileEndpoint = declare<ProjectParams & { profile: string }>(GET_PROFILE, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const profile = await getTelemetry(ctx, 'profiles', {
    projectSlug: project.slug,
    id: call.params.profile,
  });
  if (!isDownload(call.url)) return { body: serializeProfile(profile) };
  return answerDownload(await openBlob(ctx, profile), {
    name: `${profile.profileId}.json`,
    contentType: 'application/json',
  });
});
