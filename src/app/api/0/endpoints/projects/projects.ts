import { z } from 'zod';
import { isNamedLike } from '#app/api/0/is-named-like.ts';
import { del, get, type Operation, put } from '#app/api/0/operation.ts';
import { CURSOR, WORDS } from '#app/api/0/query.ts';
import {
  LISTED_PROJECT,
  PROJECT_DETAIL,
  serializeListedProjects,
  serializeProjectDetail,
} from '#app/api/0/shapes/project.ts';
import { changePrivacyOf, PRIVACY_CHANGE } from '#app/api/0/shapes/scrubbing.ts';
import type { Project } from '#domain/projects.ts';
import { type Context, inTransaction } from '#product/context.ts';
import { getGroupingRules } from '#product/grouping/grouping-rules.ts';
import { getProjectPrivacy, updateProjectPrivacy } from '#product/privacy/privacy-settings.ts';
import { deleteProject, updateProject } from '#product/projects/change-projects.ts';
import { listProjectReleases } from '#product/releases/list-releases.ts';
import { getProject, listProjects } from '#product/visible-projects.ts';

const CHANGE = z.object({
  name: z.string().optional(),
  slug: z.string().optional(),
  platform: z.string().nullable().optional(),
  ...PRIVACY_CHANGE.shape,
});

export const projectOperations: readonly Operation[] = [
  /** Name, slug, platform, and what is scrubbed. Source: https://docs.sentry.io/api/projects/update-a-project/ */
  put('projects/[org]/[project]', {
    summary: "Updates a project's name, slug, platform, and privacy settings",
    scopes: ['project:write'],
    body: CHANGE,
    answer: PROJECT_DETAIL,
    async handle({ ctx, project, body }) {
      const { name, slug, platform } = body;
      const change = {
        ...(name !== undefined && { name }),
        ...(slug !== undefined && { slug }),
        ...(platform !== undefined && { platform }),
      };
      const privacy = changePrivacyOf(body);
      const updated = await inTransaction(ctx, async (ctx) => {
        if (Object.keys(privacy).length > 0) {
          await updateProjectPrivacy(ctx, { projectSlug: project.slug, change: privacy });
        }
        return updateProject(ctx, { projectSlug: project.slug, change });
      });
      return describeProject(ctx, updated);
    },
  }),

  /** The slug of the address confirms it. Source: https://docs.sentry.io/api/projects/delete-a-project/ */
  del('projects/[org]/[project]', {
    summary: 'Deletes a project and all its data',
    scopes: ['project:admin'],
    answer: null,
    handle: async ({ ctx, project }) =>
      deleteProject(ctx, { projectSlug: project.slug, confirmation: project.slug }),
  }),

  /** Projects of all organizations of the caller. Source: https://docs.sentry.io/api/projects/list-your-projects/ */
  get('projects', {
    summary: 'Lists the projects in all your organizations',
    scopes: ['project:read', 'org:ci'],
    query: { ...CURSOR },
    answer: z.array(LISTED_PROJECT),
    isPaged: true,
    handle: async ({ page, caller }) =>
      page(async () => {
        const lists = await Promise.all(
          caller.contexts.map(async (ctx) => serializeListedProjects(ctx, await listProjects(ctx))),
        );
        return lists.flat();
      }),
  }),

  /** Source: https://docs.sentry.io/api/organizations/list-an-organizations-projects/ */
  get('organizations/[org]/projects', {
    summary: "Lists an organization's projects",
    scopes: ['project:read', 'org:ci'],
    query: { ...CURSOR, ...WORDS },
    answer: z.array(LISTED_PROJECT),
    isPaged: true,
    handle: async ({ ctx, query, page }) =>
      page(async () => {
        const projects = await listProjects(ctx);
        const found = projects.filter((project) => isNamedLike(query.search, project));
        return serializeListedProjects(ctx, found);
      }),
  }),

  /** Source: https://docs.sentry.io/api/projects/retrieve-a-project/ */
  get('projects/[org]/[project]', {
    summary: 'Retrieves a project with its settings',
    scopes: ['project:read'],
    answer: PROJECT_DETAIL,
    handle: async ({ ctx, project }) => describeProject(ctx, await getProject(ctx, project.slug)),
  }),
];

/** A project with its settings. */
export async function describeProject(ctx: Context, project: Project) {
  const [teams, privacy, grouping, releases] = await Promise.all([
    ctx.stores.teams.list(ctx.organization.id),
    getProjectPrivacy(ctx, project.slug),
    getGroupingRules(ctx, project.slug),
    listProjectReleases(ctx, [{ projectId: project.id }], ''),
  ]);
  const settings = { ...privacy.project, newestRelease: releases.newest, rules: grouping.active };
  return serializeProjectDetail({ ...project, ...settings }, ctx, teams);
}
