import { z } from 'zod';
import type { ApiAnswer } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { findAssigneeId } from '#product/issues/find-assignee-id.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import type { IssueChange } from '#storage/ports/issues.ts';

const ISSUE_UPDATE = z.strictObject({
  status: z.enum(['resolved', 'unresolved', 'ignored']).optional(),
  substatus: z
    .enum(['new', 'ongoing', 'escalating', 'regressed', 'archived_until_escalating', 'archived_forever'])
    .nullish(),
  statusDetails: z.strictObject({}).optional(),
  /** `user:<id>`, an id or an e-mail address; empty or null for nobody. */
  assignedTo: z.string().max(320).nullish(),
});
type IssueUpdateBody = z.infer<typeof ISSUE_UPDATE>;

/** What the body of a PUT asks for. Source: https://docs.sentry.io/api/events/update-an-issue/ */
export async function readIssueChange(ctx: Context, request: Request): Promise<IssueChange> {
  const body = await readJsonBody(request, ISSUE_UPDATE);
  const change: IssueChange = {};
  if (body.status !== undefined) change.status = body.status === 'ignored' ? 'archived' : body.status;
  if (body.substatus) change.substatus = body.substatus;
  if (body.assignedTo !== undefined) change.assigneeUserId = await readAssignee(ctx, body);
  return change;
}

/** Changes the issues that the query string names in `id`, as often as needed. */
export async function updateIssuesEndpoint(
  ctx: Context,
  request: Request,
  url: URL,
  projectSlugs: readonly string[],
): Promise<ApiAnswer> {
  const issueIds = url.searchParams
    .getAll('id')
    .map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : Number.NaN));
  if (issueIds.length === 0) {
    throw invalid('No issue is named: add ?id=… for each one that is to change', 'id');
  }
  const change = await readIssueChange(ctx, request);
  const { before } = await updateIssues(ctx, { issueIds, change, projectSlugs });
  if (before.length === 0) throw notFound('None of these issues exists');
  return { body: describeChange(change) };
}

async function readAssignee(ctx: Context, { assignedTo }: IssueUpdateBody): Promise<string | null> {
  if (!assignedTo) return null;
  if (assignedTo.startsWith('team:')) throw invalid('Issues can be assigned to users only', 'assignedTo');
  return findAssigneeId(ctx, assignedTo.replace(/^user:/, ''));
}

/** What was changed, as Sentry answers it. */
function describeChange({ status, substatus, assigneeUserId }: IssueChange) {
  return {
    ...(status === undefined
      ? {}
      : {
          status: status === 'archived' ? 'ignored' : status,
          ...(substatus ? { substatus } : {}),
          statusDetails: {},
        }),
    ...(assigneeUserId === undefined
      ? {}
      : { assignedTo: assigneeUserId === null ? null : { type: 'user', id: assigneeUserId } }),
  };
}
