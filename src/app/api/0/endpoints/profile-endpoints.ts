import { answerDownload } from '#app/api/0/answer-download.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { isDownload } from '#app/api/0/read-parameters.ts';
import { serializeProfile } from '#app/api/0/serializers/serialize-telemetry.ts';
import { getTelemetry } from '#product/telemetry/get-telemetry.ts';
import { openBlob } from '#product/telemetry/open-blob.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

export const listProfilesEndpoint = telemetryListEndpoint(
  'profiles',
  ['traceId', 'profilerId', 'name', 'release', 'environment'],
  serializeProfile,
);

/** What is known of a profile or of a chunk of one; with `?download=1` its body. */
export const getProfileEndpoint: ApiEndpoint<ProjectParams & { profile: string }> = async (call) => {
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
};
