import { z } from 'zod';
import { del, get, type Operation } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { each, idOf, isoMs, shapeOf } from '#app/api/0/shape.ts';
import { LEVEL, NAMED } from '#app/api/0/shapes/parts.ts';
import { listDiscardedIssues, restoreDiscardedIssue } from '#product/issue-deletion/delete-issues.ts';

type DiscardedIssue = Awaited<ReturnType<typeof listDiscardedIssues>>[number];

const [TOMBSTONE, serializeTombstone] = shapeOf<DiscardedIssue>()({
  id: idOf('id'),
  ...each(z.string(), 'shortId', 'title', 'culprit'),
  level: LEVEL,
  actor: [NAMED.nullable(), 'discardedBy'],
  dateCreated: isoMs('discardedAt'),
});

export const discardedIssueOperations: readonly Operation[] = [
  /** What a project drops because its issue was deleted with its future; the reference calls them tombstones. */
  get('projects/[org]/[project]/tombstones', {
    summary: "Lists a project's discarded issues",
    scopes: ['project:read'],
    answer: z.array(TOMBSTONE),
    handle: async ({ ctx, project }) =>
      (await listDiscardedIssues(ctx, project.slug)).map(serializeTombstone),
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
