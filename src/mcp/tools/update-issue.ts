import { z } from 'zod';
import {
  type ArchiveCondition,
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  type Issue,
  type IssueChange,
  type ResolutionChoice,
} from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { findAssignee } from '#product/assignment/assignees.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { issueInput } from '../inputs.ts';
import { fencedFacts, paragraphs } from '../text/answer.ts';
import { assigneeOf, issuePage, stateOf } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-named.ts';

const INPUT = z.strictObject({
  issue: issueInput,
  status: z
    .enum(ISSUE_STATUSES)
    .optional()
    .describe('resolved when it is fixed; archived to hide it without a fix; unresolved to reopen it.'),
  resolved_in: z
    .string()
    .min(1)
    .max(250)
    .optional()
    .describe(
      'With the status resolved: next_release, latest_release (both of the package that the issue was last seen in), or a version. Events from older releases and from other packages then do not reopen it. Without it, any new event does.',
    ),
  archived_until: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe(
      'With the status archived: escalating (default), forever, a time such as 2026-01-31T12:00:00Z, or a number such as "100 events" or "10 users".',
    ),
  assignee: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .describe('me, none, the email address or name of a member, or #team.'),
  priority: z.enum(ISSUE_PRIORITIES).optional(),
});
type Input = z.output<typeof INPUT>;

export const updateIssue = defineTool({
  name: 'update_issue',
  title: 'Change an issue',
  description:
    'Resolves, archives or reopens an issue, assigns it, or sets its priority. All changes can be undone, and are recorded in the issue’s history.',
  right: 'event:write',
  isChange: true,
  input: INPUT,
  async run(ctx, input) {
    const { issue } = await findIssue(ctx, input.issue);
    const { before } = await updateIssues(ctx, {
      issueIds: [issue.id],
      change: await readChange(ctx, input),
    });
    const [former = issue] = before;
    const present = await getIssue(ctx, issue.shortId);
    return paragraphs(
      `${present.shortId}: ${issuePage(ctx, present)}`,
      fencedFacts([
        ['state', change(former, present, stateOf)],
        ['priority', change(former, present, ({ priority }) => priority)],
        ['assigned to', change(former, present, assigneeOf)],
      ]),
    );
  },
});

function change(former: Issue, present: Issue, read: (issue: Issue) => string): string {
  const [was, is] = [read(former), read(present)];
  return was === is ? `${is} (unchanged)` : `${is} (before: ${was})`;
}

async function readChange(ctx: Context, input: Input): Promise<IssueChange> {
  const { status, priority, assignee } = input;
  if (input.resolved_in !== undefined && status !== 'resolved') {
    throw invalid('"resolved_in" needs the status resolved', 'resolved_in');
  }
  if (input.archived_until !== undefined && status !== 'archived') {
    throw invalid('"archived_until" needs the status archived', 'archived_until');
  }
  return {
    ...(status && { status }),
    ...(input.resolved_in !== undefined && { resolution: readResolution(input.resolved_in) }),
    ...(input.archived_until !== undefined && { archive: readArchive(input.archived_until) }),
    ...(priority && { priority }),
    ...(assignee !== undefined && (await readAssignee(ctx, assignee))),
  };
}

function readResolution(text: string): ResolutionChoice {
  if (text === 'next_release') return { kind: 'next_release' };
  return { kind: 'release', release: text === 'latest_release' ? null : text };
}

function readArchive(text: string): ArchiveCondition {
  if (text === 'escalating' || text === 'forever') return { kind: text };
  const [, count, kind] = /^(\d{1,10}) ?(events|users)$/.exec(text) ?? [];
  if (count !== undefined && (kind === 'events' || kind === 'users')) {
    return { kind, count: Number(count), windowMinutes: null };
  }
  const untilMs = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(untilMs)) return { kind: 'date', untilMs };
  throw invalid(
    '"archived_until": use escalating, forever, a time such as 2026-01-31T12:00:00Z, "100 events" or "10 users"',
    'archived_until',
  );
}

async function readAssignee(
  ctx: Context,
  text: string,
): Promise<Pick<IssueChange, 'assigneeUserId' | 'assigneeTeamId'>> {
  if (text === 'none') return { assigneeUserId: null };
  const own = text === 'me' ? userIdOf(ctx) : null;
  return own === null ? findAssignee(ctx, text) : { assigneeUserId: own };
}
