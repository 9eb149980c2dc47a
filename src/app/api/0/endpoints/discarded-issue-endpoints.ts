import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { notFound } from '#lib/errors.ts';
import { listDiscardedIssues, restoreDiscardedIssue } from '#product/issue-deletion/discarded-issues.ts';
import { findProject, type ProjectParams } from './find-project.ts';

/** What a project drops because its issue was deleted with its future; the reference calls them tombstones. */
export const listDiscardedIssuesEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params }) => {
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
};

/** Its events are taken again. */
export const restoreDiscardedIssueEndpoint: ApiEndpoint<ProjectParams & { tombstone: string }> = async (
  call,
) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const { tombstone } = call.params;
  if (!/^\d{1,15}$/.test(tombstone)) throw notFound(`The project ${project.slug} discards no such issue`);
  await restoreDiscardedIssue(ctx, { projectSlug: project.slug, discardedId: Number(tombstone) });
  return { body: null, status: 204 };
};
