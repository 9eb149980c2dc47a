import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { serializeOrganization } from '#app/api/0/serializers/serialize-organization.ts';
import { serializeProject } from '#app/api/0/serializers/serialize-project.ts';
import { updateOrganization } from '#product/organizations/update-organization.ts';
import { requireOneOf } from '#product/permissions.ts';
import { listProjects } from '#product/projects/list-projects.ts';
import type { Scope } from '#protocol/scopes.ts';
import { deleteIssuesEndpoint } from './delete-issues-endpoint.ts';
import { selectProject } from './find-project.ts';
import { listIssuesEndpoint } from './list-issues-endpoint.ts';
import { updateIssuesEndpoint } from './update-issues-endpoint.ts';

/** Part of a path that names an organization, by slug or number. */
export type OrganizationParams = { org: string };

/** Builds ask first whether the organization of their token is there. */
const BUILD_READ_RIGHTS: readonly [Scope, ...Scope[]] = ['org:read', 'org:ci'];

/** Source: https://docs.sentry.io/api/organizations/list-your-organizations/ */
export const listOrganizationsEndpoint: ApiEndpoint<unknown> = async ({ caller, url }) => {
  const [first] = caller.contexts;
  return answerPage(first?.publicUrl ?? url.origin, url, async () => ({
    rows: caller.contexts.map((ctx) => {
      requireOneOf(ctx, BUILD_READ_RIGHTS);
      return serializeOrganization(ctx.organization, ctx.publicUrl);
    }),
    nextCursor: null,
  }));
};

/** Source: https://docs.sentry.io/api/organizations/retrieve-an-organization/ */
export const getOrganizationEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  requireOneOf(ctx, BUILD_READ_RIGHTS);
  return { body: serializeOrganization(ctx.organization, ctx.publicUrl) };
};

const ORGANIZATION_CHANGE = z.object({
  name: z.string().max(1_000).optional(),
  slug: z.string().max(200).optional(),
  openMembership: z.boolean().optional(),
});

/** Source: https://docs.sentry.io/api/organizations/update-an-organization/ */
export const updateOrganizationEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const { name, slug, openMembership } = await readJsonBody(call.request, ORGANIZATION_CHANGE);
  const updated = await updateOrganization(ctx, { name, slug, isOpen: openMembership });
  return { body: serializeOrganization(updated, ctx.publicUrl) };
};

/** Projects of all organizations of the caller. Source: https://docs.sentry.io/api/projects/list-your-projects/ */
export const listProjectsEndpoint: ApiEndpoint<unknown> = async ({ caller, url }) => {
  const [first] = caller.contexts;
  return answerPage(first?.publicUrl ?? url.origin, url, async () => {
    const lists = await Promise.all(
      caller.contexts.map(async (ctx) =>
        (await listProjects(ctx)).map((project) =>
          serializeProject(project, ctx.organization, ctx.publicUrl),
        ),
      ),
    );
    return { rows: lists.flat(), nextCursor: null };
  });
};

/** Source: https://docs.sentry.io/api/organizations/list-an-organizations-projects/ */
export const listOrganizationProjectsEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  return answerPage(ctx.publicUrl, call.url, async () => ({
    rows: (await listProjects(ctx)).map((project) =>
      serializeProject(project, ctx.organization, ctx.publicUrl),
    ),
    nextCursor: null,
  }));
};

/** Source: https://docs.sentry.io/api/events/list-an-organizations-issues/ */
export const listOrganizationIssuesEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  return listIssuesEndpoint(ctx, call.url, await readProjects(call.url, ctx));
};

/** Source: https://docs.sentry.io/api/events/bulk-mutate-an-organizations-issues/ */
export const updateOrganizationIssuesEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  return updateIssuesEndpoint(ctx, call.request, call.url, await readProjects(call.url, ctx));
};

/** Source: https://docs.sentry.io/api/events/bulk-remove-an-organizations-issues/ */
export const deleteOrganizationIssuesEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  return deleteIssuesEndpoint(ctx, call.url, await readProjects(call.url, ctx));
};

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
