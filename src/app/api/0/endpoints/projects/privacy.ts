import { z } from 'zod';
import { get, type Operation, post, put } from '#app/api/0/operation.ts';
import { each, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { changePrivacyOf, PRIVACY_CHANGE, PRIVACY_FIELDS } from '#app/api/0/shapes/scrubbing.ts';
import { previewPrivacyRules } from '#product/privacy/preview-privacy-rules.ts';
import {
  getOrganizationPrivacy,
  getProjectPrivacy,
  updateOrganizationPrivacy,
  updateProjectPrivacy,
} from '#product/privacy/privacy-settings.ts';
import { BODY_POLICIES, type PrivacySettings } from '#protocol/ingest-settings.ts';

const ADVANCED_RULE = z.object({
  method: z.enum(['remove', 'mask', 'hash', 'replace']),
  type: z.string(),
  pattern: z.string().nullable(),
  placeholder: z.string().nullable(),
  selector: z.string(),
});

const { dataScrubber: _, ...SCRUBBING } = PRIVACY_FIELDS;

export const [PRIVACY, serializePrivacy] = shapeOf<PrivacySettings>()(
  {
    ...SCRUBBING,
    advancedRules: z.array(ADVANCED_RULE),
    /** Whether attachments that are text are scrubbed, stored as sent, or not stored. */
    ...each(z.enum(BODY_POLICIES), 'textAttachments', 'recordings'),
  },
  'Privacy',
);

/** With what the organization has scrubbed before. */
export const PROJECT_PRIVACY = PRIVACY.extend({ organization: PRIVACY }).meta({ id: 'ProjectPrivacy' });

export const PRIVACY_PREVIEW = z
  .object({
    /** null when no event is stored. */
    event: z
      .object({ occurredAt: z.string(), eventId: z.string(), projectId: z.number(), title: z.string() })
      .nullable(),
    changes: z.array(
      z.object({
        path: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
        rules: z.array(z.string()),
      }),
    ),
    furtherChanges: z.number(),
    /** How often each rule fits. */
    hits: z.array(z.number()),
    problems: z.array(
      z.object({
        list: z.enum(['sensitiveFields', 'safeFields', 'advancedRules']),
        index: z.number(),
        part: z.enum(['type', 'pattern', 'method', 'placeholder', 'selector']).nullable(),
        position: z.number().nullable(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'PrivacyPreview' });

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

export const privacyOperations: readonly Operation[] = [
  /** What is scrubbed from a project's data. Not in the reference, which has these fields on the project itself. */
  get('projects/[org]/[project]/privacy', {
    summary: "Retrieves a project's data scrubbing settings",
    scopes: ['project:read'],
    answer: PROJECT_PRIVACY,
    async handle({ ctx, project }) {
      const { project: own, organization } = await getProjectPrivacy(ctx, project.slug);
      return { ...serializePrivacy(own), organization: serializePrivacy(organization) };
    },
  }),

  /** Changes the fields that the body names. */
  put('projects/[org]/[project]/privacy', {
    summary: "Updates a project's data scrubbing settings",
    scopes: ['project:write'],
    body: SETTINGS,
    answer: PRIVACY,
    async handle({ ctx, project, body }) {
      const change = changeOf(body);
      return serializePrivacy(await updateProjectPrivacy(ctx, { projectSlug: project.slug, change }));
    },
  }),

  /** Tries settings on a stored event; fields that the body does not name are the project's own. */
  post('projects/[org]/[project]/privacy/preview', {
    summary: 'Previews what data scrubbing settings would change in a stored event',
    scopes: ['project:write'],
    alsoScopes: ['event:read'],
    body: PREVIEW,
    answer: PRIVACY_PREVIEW,
    async handle({ ctx, project, body }) {
      const { project: own } = await getProjectPrivacy(ctx, project.slug);
      const preview = await previewPrivacyRules(ctx, {
        projectSlug: project.slug,
        privacy: { ...own, ...changeOf(body) },
        eventId: body.eventId,
      });
      const { event } = preview;
      return {
        ...preview,
        event: event && { ...event, occurredAt: isoOfMs(event.occurredAt) },
      };
    },
  }),

  get('organizations/[org]/privacy', {
    summary: 'Retrieves the data scrubbing settings for all projects',
    scopes: ['org:read'],
    answer: PRIVACY,
    handle: async ({ ctx }) => serializePrivacy(await getOrganizationPrivacy(ctx)),
  }),

  put('organizations/[org]/privacy', {
    summary: 'Updates the data scrubbing settings for all projects',
    scopes: ['org:write'],
    body: SETTINGS,
    answer: PRIVACY,
    async handle({ ctx, body }) {
      const change = changeOf(body);
      return serializePrivacy(await updateOrganizationPrivacy(ctx, change));
    },
  }),
];

const changeOf = (body: z.infer<typeof SETTINGS>): Partial<PrivacySettings> => ({
  ...changePrivacyOf(body),
  ...(body.advancedRules !== undefined && { advancedRules: body.advancedRules }),
  ...(body.textAttachments !== undefined && { textAttachments: body.textAttachments }),
  ...(body.recordings !== undefined && { recordings: body.recordings }),
});
