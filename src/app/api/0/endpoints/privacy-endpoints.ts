import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { PRIVACY, PRIVACY_PREVIEW, PROJECT_PRIVACY } from '#app/api/0/schemas/privacy.ts';
import { serializePrivacy } from '#app/api/0/serializers/serialize-privacy.ts';
import { previewPrivacyRules } from '#product/privacy/preview-privacy-rules.ts';
import {
  getOrganizationPrivacy,
  getProjectPrivacy,
  updateOrganizationPrivacy,
  updateProjectPrivacy,
} from '#product/privacy/privacy-settings.ts';
import { BODY_POLICIES, type PrivacySettings } from '#protocol/ingest-settings.ts';
import { changePrivacyOf, PRIVACY_CHANGE } from './change-privacy.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const RULE = z.object({
  method: z.enum(['remove', 'mask', 'hash', 'replace']),
  type: z.string().max(100),
  pattern: z.string().max(10_000).nullable().default(null),
  placeholder: z.string().max(1_000).nullable().default(null),
  selector: z.string().max(10_000),
});

const SETTINGS = PRIVACY_CHANGE.extend({
  advancedRules: z.array(RULE).max(1_000).optional(),
  textAttachments: z.enum(BODY_POLICIES).optional(),
  recordings: z.enum(BODY_POLICIES).optional(),
});

const PREVIEW = SETTINGS.extend({ eventId: z.string().max(100).nullable().default(null) });

const GET_PROJECT_PRIVACY = {
  summary: 'Answers what is scrubbed from the data of a project',
  scopes: ['project:read'],
  answer: PROJECT_PRIVACY,
} satisfies Operation;

/** What is scrubbed from a project's data. Not in the reference, which has these fields on the project itself. */
export const getProjectPrivacyEndpoint = declare<ProjectParams>(
  GET_PROJECT_PRIVACY,
  async ({ caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    const { project: own, organization } = await getProjectPrivacy(ctx, project.slug);
    return { body: { ...serialize(own), organization: serialize(organization) } };
  },
);

const UPDATE_PROJECT_PRIVACY = {
  summary: 'Changes what is scrubbed from the data of a project',
  scopes: ['project:write'],
  body: SETTINGS,
  answer: PRIVACY,
} satisfies Operation;

/** Changes the fields that the body names. */
export const updateProjectPrivacyEndpoint = declare<ProjectParams>(
  UPDATE_PROJECT_PRIVACY,
  async ({ request, caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    const change = changeOf(await readJsonBody(request, SETTINGS));
    return { body: serialize(await updateProjectPrivacy(ctx, { projectSlug: project.slug, change })) };
  },
);

const PREVIEW_PRIVACY = {
  summary: 'Tells what settings would change in a stored event',
  scopes: ['project:write'],
  alsoScopes: ['event:read'],
  body: PREVIEW,
  answer: PRIVACY_PREVIEW,
} satisfies Operation;

/** Tries settings on a stored event; fields that the body does not name are the project's own. */
export const previewPrivacyEndpoint = declare<ProjectParams>(
  PREVIEW_PRIVACY,
  async ({ request, caller, params }) => {
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
  },
);

const GET_ORGANIZATION_PRIVACY = {
  summary: 'Answers what is scrubbed from the data of all projects',
  scopes: ['org:read'],
  answer: PRIVACY,
} satisfies Operation;

export const getOrganizationPrivacyEndpoint = declare<OrganizationParams>(
  GET_ORGANIZATION_PRIVACY,
  async ({ caller, params }) => {
    return { body: serialize(await getOrganizationPrivacy(contextOf(caller, params.org))) };
  },
);

const UPDATE_ORGANIZATION_PRIVACY = {
  summary: 'Changes what is scrubbed from the data of all projects',
  scopes: ['org:write'],
  body: SETTINGS,
  answer: PRIVACY,
} satisfies Operation;

export const updateOrganizationPrivacyEndpoint = declare<OrganizationParams>(
  UPDATE_ORGANIZATION_PRIVACY,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const change = changeOf(await readJsonBody(call.request, SETTINGS));
    return { body: serialize(await updateOrganizationPrivacy(ctx, change)) };
  },
);

const serialize = (privacy: PrivacySettings) => {
  const { dataScrubber: _, ...fields } = serializePrivacy(privacy);
  const { advancedRules, textAttachments, recordings } = privacy;
  return { ...fields, advancedRules, textAttachments, recordings };
};

const changeOf = (body: z.infer<typeof SETTINGS>): Partial<PrivacySettings> => ({
  ...changePrivacyOf(body),
  ...(body.advancedRules !== undefined && { advancedRules: body.advancedRules }),
  ...(body.textAttachments !== undefined && { textAttachments: body.textAttachments }),
  ...(body.recordings !== undefined && { recordings: body.recordings }),
});
