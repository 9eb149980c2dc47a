import { z } from 'zod';
import { del, get, type Operation } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { LEVEL, NAMED } from '#app/api/0/shapes/parts.ts';
import { listDiscardedIssues, restoreDiscardedIssue } from '#product/issue-deletion/delete-issues.ts';

export const discardedIssueOperations: readonly Operation[] = [
  /** What a project drops because its issue was deleted with its future; the reference calls them tombstones. */
  get('projects/[org]/[project]/tombstones', {
    summary: "Lists a project's discarded issues",
    scopes: ['project:read'],
    answer: z.array(
      z.object({
        id: z.string(),
        shortId: z.string(),
        title: z.string(),
        culprit: z.string(),
        level: LEVEL,
        actor: NAMED.nullable(),
        dateCreated: z.string(),
      }),
    ),
    async handle({ ctx, project }) {
      const discarded = await listDiscardedIssues(ctx, project.slug);
      return discarded.map((issue) => ({
        id: String(issue.id),
        shortId: issue.shortId,
        title: issue.title,
        culprit: issue.culprit,
        level: issue.level,
        actor: issue.discardedBy,
        dateCreated: new Date(issue.discardedAt).toISOString(),
      }));
    },
  }),

  /** Its events are taken again. */
  del('projects/[org]/[project]/tombstones/[tombstone]', {
    summary: "Stops discarding an issue's events",
    scopes: ['event:admin'],
    alsoScopes: ['project:read'],
    answer: null,
    async handle({ ctx, project, params }) {
      const missing = `Project ${project.slug} has no such discarded issue`;
      const discardedId = readPathNumber(params.tombstone, missing);
      await restoreDiscardedIssue(ctx, { projectSlug: project.slug, discardedId });
    },
  }),
];
