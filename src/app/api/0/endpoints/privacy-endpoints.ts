import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { getOrganizationPrivacy } from '#product/privacy/get-organization-privacy.ts';
import { getProjectPrivacy } from '#product/privacy/get-project-privacy.ts';
import { previewPrivacyRules } from '#product/privacy/preview-privacy-rules.ts';
import { updateOrganizationPrivacy } from '#product/privacy/update-organization-privacy.ts';
import { updateProjectPrivacy } from '#product/privacy/update-project-privacy.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const FIELDS = z.array(z.string().max(1_000)).max(1_000);

const RULE = z.object({
  method: z.enum(['remove', 'mask', 'hash', 'replace']),
  type: z.string().max(100),
  pattern: z.string().max(10_000).nullable().default(null),
  placeholder: z.string().max(1_000).nullable().default(null),
  selector: z.string().max(10_000),
});

/** The names of the reference's own fields where it has them. */
const SETTINGS = z.object({
  dataScrubberDefaults: z.boolean().optional(),
  scrubIPAddresses: z.boolean().optional(),
  sensitiveFields: FIELDS.optional(),
  safeFields: FIELDS.optional(),
  advancedRules: z.array(RULE).max(1_000).optional(),
});

const PREVIEW = SETTINGS.extend({ eventId: z.string().max(100).nullable().default(null) });

/** What is scrubbed from a project's data. Not in the reference, which has these fields on the project itself. */
export const getProjectPrivacyEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const { project: own, organization } = await getProjectPrivacy(ctx, project.slug);
  return { body: { ...serialize(own), organization: serialize(organization) } };
};

/** Changes the fields that the body names. */
export const updateProjectPrivacyEndpoint: ApiEndpoint<ProjectParams> = async ({
  request,
  caller,
  params,
}) => {
  const { ctx, project } = await findProject(caller, params);
  const change = changeOf(await readJsonBody(request, SETTINGS));
  return { body: serialize(await updateProjectPrivacy(ctx, { projectSlug: project.slug, change })) };
};

/** Tries settings on a stored event; fields that the body does not name are the project's own. */
export const previewPrivacyEndpoint: ApiEndpoint<ProjectParams> = async ({ request, caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const body = await readJsonBody(request, PREVIEW);
  const { project: own } = await getProjectPrivacy(ctx, project.slug);
  const preview = await previewPrivacyRules(ctx, {
    projectSlug: project.slug,
    privacy: { ...own, ...changeOf(body) },
    eventId: body.eventId,
  });
  const { event } = preview;
  return {
    body: {
      ...preview,
      event: event && { ...event, occurredAt: new Date(event.occurredAt).toISOString() },
    },
  };
};

export const getOrganizationPrivacyEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params }) => {
  return { body: serialize(await getOrganizationPrivacy(contextOf(caller, params.org))) };
};

export const updateOrganizationPrivacyEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const change = changeOf(await readJsonBody(call.request, SETTINGS));
  return { body: serialize(await updateOrganizationPrivacy(ctx, change)) };
};

const serialize = (privacy: PrivacySettings) => ({
  dataScrubberDefaults: privacy.defaultRules,
  scrubIPAddresses: privacy.scrubIpAddresses,
  sensitiveFields: privacy.sensitiveFields,
  safeFields: privacy.safeFields,
  advancedRules: privacy.advancedRules,
});

function changeOf(body: z.infer<typeof SETTINGS>): Partial<PrivacySettings> {
  const change: Partial<PrivacySettings> = {
    defaultRules: body.dataScrubberDefaults,
    scrubIpAddresses: body.scrubIPAddresses,
    sensitiveFields: body.sensitiveFields,
    safeFields: body.safeFields,
    advancedRules: body.advancedRules,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
