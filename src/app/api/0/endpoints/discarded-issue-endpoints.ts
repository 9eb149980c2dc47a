import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { LEVEL, NAMED } from '#app/api/0/schemas/parts.ts';
import { notFound } from '#lib/errors.ts';
import { listDiscardedIssues, restoreDiscardedIssue } from '#product/issue-deletion/delete-issues.ts';
import { findProject, type ProjectParams } from './find-project.ts';

const LIST_DISCARDED_ISSUES = {
  summary: 'Lists discarded issues of a project',
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
} satisfies Operation;

/** What a project drops because its issue was deleted with its future; the reference calls them tombstones. */
export const listDiscardedIssuesEndpoint = declare<ProjectParams>(
  LIST_DISCARDED_ISSUES,
  async ({ caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    const discarded = await listDiscardedIssues(ctx, project.slug);
    return {
      body: discarded.map((issue) => ({
        id: String(issue.id),
        shortId: issue.shortId,
        title: issue.title,
        culprit: issue.culprit,
        level: issue.level,
        actor: issue.discardedBy,
        dateCreated: new Date(issue.discardedAt).toISOString(),
      })),
    };
  },
);

const RESTORE_DISCARDED_ISSUE = {
  summary: 'Lets events of a discarded issue in again',
  scopes: ['event:admin'],
  alsoScopes: ['project:read'],
  answer: null,
} satisfies Operation;

/** Its events are taken again. */
export const restoreDiscardedIssueEndpoint = declare<ProjectParams & { tombstone: string }>(
  RESTORE_DISCARDED_ISSUE,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    const { tombstone } = call.params;
    if (!/^\d{1,15}$/.test(tombstone)) throw notFound(`The project ${project.slug} discards no such issue`);
    await restoreDiscardedIssue(ctx, { projectSlug: project.slug, discardedId: Number(tombstone) });
    return { body: null, status: 204 };
  },
);
