import { z } from 'zod';
import type { Issue } from '#domain/issues/issue.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import type { Context } from '#product/context.ts';
import { describeEvent } from '#product/event-description/describe-event.ts';
import { fence, oneLine } from '#product/event-description/event-texts.ts';
import { readSourceProblem } from '#product/events/source-problem.ts';
import { listLinks } from '#product/issue-links/issue-links.ts';
import { findSuspectCommits } from '#product/suspect-commits/find-suspect-commits.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { eventInput, issueInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, paragraphs } from '../text/answer.ts';
import { activityRow, assigneeOf, ISSUE_COLUMNS, issuePage, issueRow, stateOf } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';
import { findIssueWithEvent } from './find-named.ts';

const COMMENTS_SHOWN = 5;
const LINKS_SHOWN = 10;
const COMMITS_CHARACTERS_MAX = 3_000;
const MESSAGE_CHARACTERS_MAX = 300;

export const getIssueTool = defineTool({
  name: 'get_issue',
  title: 'Read an issue',
  description:
    'Everything important about an issue and one of its events, as Markdown: what happened, how often and to how many users, the line where it broke with its source, the calls, breadcrumbs, request, tags and contexts, its assignee, suspect commits, and the latest comments.',
  right: 'event:read',
  input: z.strictObject({
    issue: issueInput,
    event: eventInput,
  }),
  async run(ctx, input) {
    const { issue, event } = await findIssueWithEvent(ctx, input);
    const [described, triage, commits] = await Promise.all([
      event ? describeEvent(ctx, issue, event) : describeWithoutEvent(ctx, issue, input.event ?? null),
      describeTriage(ctx, issue),
      event ? describeCommits(ctx, issue, event) : '',
    ]);
    return paragraphs(described, commits, triage, event && describeMore(issue, event));
  },
});

const describeWithoutEvent = (ctx: Context, issue: Issue, which: string | null): string =>
  paragraphs(
    `# Issue ${issue.shortId}`,
    DATA_SENTENCE,
    `Page: ${issuePage(ctx, issue)}`,
    ISSUE_COLUMNS,
    fencedRows([issueRow(issue)]),
    which === null
      ? 'None of its events are stored any longer.'
      : 'It has no such event: see list_issue_events.',
  );

async function describeTriage(ctx: Context, issue: Issue): Promise<string> {
  const [links, { activities }] = await Promise.all([
    listLinks(ctx, issue),
    listActivities(ctx, issue, { only: 'comments', cursor: null, limit: COMMENTS_SHOWN }),
  ]);
  const facts = fencedFacts([
    ['state', stateOf(issue)],
    ['priority', issue.priority],
    ['assigned to', assigneeOf(issue)],
    ...links.slice(0, LINKS_SHOWN).map(({ title, url }) => ['linked to', `${title} ${url}`] as const),
  ]);
  return paragraphs(
    `## Triage\n\n${facts}`,
    activities.length > 0 && `## Latest comments, newest first\n\n${fencedRows(activities.map(activityRow))}`,
  );
}

async function describeCommits(ctx: Context, issue: Issue, event: StoredEvent): Promise<string> {
  const suspects = await findSuspectCommits(ctx, issue, event);
  const texts = suspects.map(({ commit, why }) => {
    const author = commit.author.memberName ?? commit.author.name ?? commit.author.email ?? 'someone';
    const head = `${commit.key.slice(0, 12)} ${commit.repositoryName}, by ${author}`;
    return [head, oneLine(commit.message, MESSAGE_CHARACTERS_MAX), why, commit.url]
      .filter(Boolean)
      .join('\n');
  });
  const block = fence(texts.join('\n\n'), COMMITS_CHARACTERS_MAX);
  return block && `## Suspect commits\n\n${block}`;
}

function describeMore({ shortId }: Issue, { eventId, payload }: StoredEvent): string {
  const unreadable = countUnreadable(payload);
  return paragraphs(
    '## More',
    [
      `- \`get_event\` with the event \`${eventId}\`: every call with its source and variables, or the whole event.`,
      ...(unreadable > 0
        ? [`- \`explain_source_maps\` with it: why ${unreadable} calls show no source.`]
        : []),
      `- \`search_events\` with the query \`issue:${shortId}\`: any other question about its events.`,
      `- \`list_issue_events\`, \`get_issue_activity\`, \`find_similar_issues\`, \`explain_grouping\` with \`${shortId}\`.`,
    ].join('\n'),
  );
}

const countUnreadable = ({ exception }: NormalizedEvent): number =>
  (exception?.values ?? [])
    .flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
    .filter((frame) => readSourceProblem(frame) !== null).length;
