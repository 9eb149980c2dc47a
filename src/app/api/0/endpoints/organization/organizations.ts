import { z } from 'zod';
import { isNamedLike } from '#app/api/0/is-named-like.ts';
import { get, type Operation, post, put } from '#app/api/0/operation.ts';
import { CURSOR, text, WORDS } from '#app/api/0/query.ts';
import { ORGANIZATION, serializeOrganization } from '#app/api/0/shapes/organization.ts';
import { ORGANIZATION_DETAIL, serializeOrganizationDetail } from '#app/api/0/shapes/organization-detail.ts';
import { changePrivacyOf, PRIVACY_CHANGE } from '#app/api/0/shapes/scrubbing.ts';
import { type Context, inTransaction } from '#product/context.ts';
import { createOrganization, updateOrganization } from '#product/organizations/organizations.ts';
import { hasRight, requireOneOf } from '#product/permissions.ts';
import { getOrganizationPrivacy, updateOrganizationPrivacy } from '#product/privacy/privacy-settings.ts';
import { getOrganizationSharing, setSharingAllowed } from '#product/sharing/sharing.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { Scope } from '#protocol/scopes.ts';

/** Builds ask first whether the organization of their token is there. */
const BUILD_READ_RIGHTS: readonly [Scope, ...Scope[]] = ['org:read', 'org:ci'];

const NEW_ORGANIZATION = z.object({
  name: z.string().max(1_000).describe('For people'),
  slug: z.string().max(200).optional().describe('In addresses; made from the name when absent'),
});

const ORGANIZATION_CHANGE = z.object({
  name: z.string().max(1_000).optional(),
  slug: z.string().max(200).optional(),
  openMembership: z.boolean().optional(),
  allowSharedIssues: z.boolean().optional(),
  ...PRIVACY_CHANGE.shape,
});

export const organizationOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/organizations/list-your-organizations/ */
  get('organizations', {
    summary: 'Lists your organizations',
    scopes: ['org:read', 'org:ci'],
    query: { ...CURSOR, ...WORDS },
    answer: z.array(ORGANIZATION),
    isPaged: true,
    handle: async ({ query, page, caller }) =>
      page(async () =>
        caller.contexts
          .filter(({ organization }) => isNamedLike(query.search, organization))
          .map((ctx) => {
            requireOneOf(ctx, BUILD_READ_RIGHTS);
            return serializeOrganization(ctx);
          }),
      ),
  }),

  /** Source: https://github.com/getsentry/sentry/blob/master/src/sentry/core/endpoints/organization_index.py */
  post('organizations', {
    summary: 'Creates an organization; requires the instance owner',
    scopes: ['org:admin'],
    body: NEW_ORGANIZATION,
    answer: ORGANIZATION,
    status: 201,
    async handle({ body, caller }) {
      // A POST takes a token, and a token has one organization.
      const ctx = caller.contexts[0]!;
      return serializeOrganization(await createOrganization(ctx, body));
    },
  }),

  /** `detailed=0` leaves settings, teams and projects out. Source: https://docs.sentry.io/api/organizations/retrieve-an-organization/ */
  get('organizations/[org]', {
    summary: 'Retrieves an organization with its settings, teams, and projects',
    scopes: ['org:read', 'org:ci'],
    query: { detailed: text('0 omits settings, teams, and projects') },
    answer: z.union([ORGANIZATION_DETAIL, ORGANIZATION]),
    async handle({ ctx, query }) {
      requireOneOf(ctx, BUILD_READ_RIGHTS);
      // Builds may only know that it is there.
      const isBrief = query.detailed === '0' || !hasRight(ctx.actor, 'org:read');
      return isBrief ? serializeOrganization(ctx) : describeOrganization(ctx);
    },
  }),

  /** Source: https://docs.sentry.io/api/organizations/update-an-organization/ */
  put('organizations/[org]', {
    summary: "Updates an organization's settings",
    scopes: ['org:write'],
    body: ORGANIZATION_CHANGE,
    answer: ORGANIZATION_DETAIL,
    async handle({ ctx, body }) {
      const { name, slug, openMembership, allowSharedIssues } = body;
      const privacy = changePrivacyOf(body);
      const updated = await inTransaction(ctx, async (ctx) => {
        if (allowSharedIssues !== undefined) await setSharingAllowed(ctx, allowSharedIssues);
        if (Object.keys(privacy).length > 0) await updateOrganizationPrivacy(ctx, privacy);
        return updateOrganization(ctx, { name, slug, isOpen: openMembership });
      });
      return describeOrganization({ ...ctx, organization: updated });
    },
  }),
];

async function describeOrganization(ctx: Context) {
  const [projects, teams, privacy, sharing] = await Promise.all([
    listVisibleProjects(ctx),
    ctx.stores.teams.list(ctx.organization.id),
    getOrganizationPrivacy(ctx),
    getOrganizationSharing(ctx),
  ]);
  const isSharingAllowed = sharing.isAllowed;
  return serializeOrganizationDetail({ ...ctx, ...privacy, isSharingAllowed, teams, projects });
}
