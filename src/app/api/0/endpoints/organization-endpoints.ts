import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { isNamedLike } from '#app/api/0/is-named-like.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, ENVIRONMENTS, PAGE, PROJECTS, RANGE, SEARCH, WORDS } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { ISSUE, ISSUES_CHANGE } from '#app/api/0/schemas/issue.ts';
import { ORGANIZATION } from '#app/api/0/schemas/organization.ts';
import { ORGANIZATION_DETAIL } from '#app/api/0/schemas/organization-detail.ts';
import { PROJECT } from '#app/api/0/schemas/project.ts';
import { serializeOrganization } from '#app/api/0/serializers/serialize-organization.ts';
import { serializeProjects } from '#app/api/0/serializers/serialize-projects.ts';
import { inTransaction } from '#product/context.ts';
import { createOrganization, updateOrganization } from '#product/organizations/organizations.ts';
import { requireOneOf } from '#product/permissions.ts';
import { updateOrganizationPrivacy } from '#product/privacy/privacy-settings.ts';
import { setSharingAllowed } from '#product/sharing/sharing.ts';
import { listProjects } from '#product/visible-projects.ts';
import type { Scope } from '#protocol/scopes.ts';
import { changePrivacyOf, PRIVACY_CHANGE } from './change-privacy.ts';
import { deleteIssuesEndpoint } from './delete-issues-endpoint.ts';
import { describeOrganization } from './describe-organization.ts';
import { selectProject } from './find-project.ts';
import { listIssuesEndpoint } from './list-issues-endpoint.ts';
import { ISSUE_UPDATE } from './read-issue-update.ts';
import { updateIssuesEndpoint } from './update-issues-endpoint.ts';

/** Part of a path that names an organization, by slug or number. */
export type OrganizationParams = { org: string };

/** Builds ask first whether the organization of their token is there. */
const BUILD_READ_RIGHTS: readonly [Scope, ...Scope[]] = ['org:read', 'org:ci'];

const LIST_ORGANIZATIONS = {
  summary: 'Lists your organizations',
  scopes: ['org:read', 'org:ci'],
  query: { ...CURSOR, ...WORDS },
  answer: z.array(ORGANIZATION),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/organizations/list-your-organizations/ */
export const listOrganizationsEndpoint = declare<unknown>(LIST_ORGANIZATIONS, async ({ caller, url }) => {
  const [first] = caller.contexts;
  return answerPage(first?.publicUrl ?? url.origin, url, async () => ({
    rows: caller.contexts
      .filter(({ organization }) => isNamedLike(url, organization))
      .map((ctx) => {
        requireOneOf(ctx, BUILD_READ_RIGHTS);
        return serializeOrganization(ctx);
      }),
    nextCursor: null,
  }));
});

const NEW_ORGANIZATION = z.object({
  name: z.string().max(1_000).describe('For people'),
  slug: z.string().max(200).optional().describe('In addresses; made from the name when absent'),
});

const CREATE_ORGANIZATION = {
  summary: 'Creates an organization; for the owner of the instance',
  scopes: ['org:admin'],
  body: NEW_ORGANIZATION,
  answer: ORGANIZATION,
  status: 201,
} satisfies Operation;

/** Source: https://github.com/getsentry/sentry/blob/master/src/sentry/core/endpoints/organization_index.py */
export const createOrganizationEndpoint = declare<unknown>(
  CREATE_ORGANIZATION,
  async ({ caller, request }) => {
    // A POST takes a token, and a token has one organization.
    const ctx = caller.contexts[0]!;
    const created = await createOrganization(ctx, await readJsonBody(request, NEW_ORGANIZATION));
    return { body: serializeOrganization(created), status: 201 };
  },
);

const GET_ORGANIZATION = {
  summary: 'Answers an organization with its settings, teams and projects',
  scopes: ['org:read', 'org:ci'],
  query: { detailed: z.string().describe('0 leaves settings, teams and projects out') },
  answer: z.union([ORGANIZATION_DETAIL, ORGANIZATION]),
} satisfies Operation;

/** `detailed=0` leaves settings, teams and projects out. Source: https://docs.sentry.io/api/organizations/retrieve-an-organization/ */
export const getOrganizationEndpoint = declare<OrganizationParams>(
  GET_ORGANIZATION,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    requireOneOf(ctx, BUILD_READ_RIGHTS);
    const isBrief = url.searchParams.get('detailed') === '0';
    return { body: isBrief ? serializeOrganization(ctx) : await describeOrganization(ctx) };
  },
);

const ORGANIZATION_CHANGE = z.object({
  name: z.string().max(1_000).optional(),
  slug: z.string().max(200).optional(),
  openMembership: z.boolean().optional(),
  allowSharedIssues: z.boolean().optional(),
  ...PRIVACY_CHANGE.shape,
});

const UPDATE_ORGANIZATION = {
  summary: 'Changes the settings of an organization',
  scopes: ['org:write'],
  body: ORGANIZATION_CHANGE,
  answer: ORGANIZATION_DETAIL,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/organizations/update-an-organization/ */
export const updateOrganizationEndpoint = declare<OrganizationParams>(UPDATE_ORGANIZATION, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const change = await readJsonBody(call.request, ORGANIZATION_CHANGE);
  const { name, slug, openMembership, allowSharedIssues } = change;
  const privacy = changePrivacyOf(change);
  const updated = await inTransaction(ctx, async (ctx) => {
    if (allowSharedIssues !== undefined) await setSharingAllowed(ctx, allowSharedIssues);
    if (Object.keys(privacy).length > 0) await updateOrganizationPrivacy(ctx, privacy);
    return updateOrganization(ctx, { name, slug, isOpen: openMembership });
  });
  return { body: await describeOrganization({ ...ctx, organization: updated }) };
});

const LIST_PROJECTS = {
  summary: 'Lists projects of all your organizations',
  scopes: ['project:read', 'org:ci'],
  query: { ...CURSOR },
  answer: z.array(PROJECT),
  isPaged: true,
} satisfies Operation;

/** Projects of all organizations of the caller. Source: https://docs.sentry.io/api/projects/list-your-projects/ */
export const listProjectsEndpoint = declare<unknown>(LIST_PROJECTS, async ({ caller, url }) => {
  const [first] = caller.contexts;
  return answerPage(first?.publicUrl ?? url.origin, url, async () => {
    const lists = await Promise.all(
      caller.contexts.map(async (ctx) => serializeProjects(ctx, await listProjects(ctx))),
    );
    return { rows: lists.flat(), nextCursor: null };
  });
});

const LIST_ORGANIZATION_PROJECTS = {
  summary: 'Lists the projects of an organization',
  scopes: ['project:read', 'org:ci'],
  query: { ...CURSOR, ...WORDS },
  answer: z.array(PROJECT),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/organizations/list-an-organizations-projects/ */
export const listOrganizationProjectsEndpoint = declare<OrganizationParams>(
  LIST_ORGANIZATION_PROJECTS,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    return answerPage(ctx.publicUrl, call.url, async () => ({
      rows: await serializeProjects(
        ctx,
        (await listProjects(ctx)).filter((project) => isNamedLike(call.url, project)),
      ),
      nextCursor: null,
    }));
  },
);

const LIST_ORGANIZATION_ISSUES = {
  summary: 'Lists issues',
  scopes: ['event:read'],
  query: {
    ...PAGE,
    ...RANGE,
    ...ENVIRONMENTS,
    ...SEARCH,
    sort: z.string().describe('date, new or freq'),
    groupStatsPeriod: z.string().describe('The period of stats: 24h, 14d, auto or none'),
    ...PROJECTS,
  },
  answer: z.array(ISSUE),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/list-an-organizations-issues/ */
export const listOrganizationIssuesEndpoint = declare<OrganizationParams>(
  LIST_ORGANIZATION_ISSUES,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    return listIssuesEndpoint(ctx, call.url, await readProjects(call.url, ctx));
  },
);

const UPDATE_ORGANIZATION_ISSUES = {
  summary: 'Changes up to 1,000 issues',
  scopes: ['event:write'],
  query: {
    id: z.array(z.string()).describe('Numbers of issues'),
    ...SEARCH,
    status: z.string().describe('resolved, unresolved or muted, as sentry-cli asks'),
    ...PROJECTS,
  },
  body: ISSUE_UPDATE,
  answer: ISSUES_CHANGE,
  otherStatus: 204,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/bulk-mutate-an-organizations-issues/ */
export const updateOrganizationIssuesEndpoint = declare<OrganizationParams>(
  UPDATE_ORGANIZATION_ISSUES,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    return updateIssuesEndpoint(ctx, call.request, call.url, await readProjects(call.url, ctx));
  },
);

const DELETE_ORGANIZATION_ISSUES = {
  summary: 'Deletes up to 1,000 issues',
  scopes: ['event:admin'],
  query: { id: z.array(z.string()).describe('Numbers of issues'), ...SEARCH, ...PROJECTS },
  answer: null,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/bulk-remove-an-organizations-issues/ */
export const deleteOrganizationIssuesEndpoint = declare<OrganizationParams>(
  DELETE_ORGANIZATION_ISSUES,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    return deleteIssuesEndpoint(ctx, call.url, await readProjects(call.url, ctx));
  },
);

/** Slugs of the projects in `project`, by number or slug, and `projectSlug`; empty for all, which `-1` says too. */
export async function readProjects(
  url: URL,
  ctx: Parameters<typeof selectProject>[0],
): Promise<readonly string[]> {
  const names = [...url.searchParams.getAll('project'), ...url.searchParams.getAll('projectSlug')].filter(
    (name) => name !== '',
  );
  if (names.includes('-1')) return [];
  const projects = await Promise.all(names.map((name) => selectProject(ctx, name)));
  return projects.map((project) => project.slug);
}
