import { z } from 'zod';
import { listIssueEvents } from '#product/issues/issue-events.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import { cursorInput, environmentInput, issueInput, limitInput, periodInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';
import { findIssue } from './find-issue.ts';

export const listIssueEventsTool = defineTool({
  name: 'list_issue_events',
  title: 'List the events of an issue',
  description:
    'Events of an issue, newest first, with when, in which release and for whom each happened. A search narrows them, for example "release:latest user.email:*@example.com".',
  right: 'event:read',
  input: z.strictObject({
    issue: issueInput,
    query: z.string().max(4_096).default('').describe('A search for events; without it every event.'),
    environment: environmentInput,
    period: periodInput.optional(),
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { issue: named, query, environment, period, limit, cursor = null }) {
    const { issue } = await findIssue(ctx, named);
    const { events, nextCursor } = await listIssueEvents(ctx, issue, {
      query,
      environments: environment ? [environment] : [],
      range: period ? rangeOf(period, ctx.now()) : null,
      limit,
      cursor,
    });
    if (events.length === 0) return `No stored event of ${issue.shortId} matches.`;
    return paragraphs(
      DATA_SENTENCE,
      'Each row: event id | time | release | environment | transaction | user | title',
      fencedRows(events.map(eventRow)),
      moreRows(nextCursor),
    );
  },
});

function eventRow(event: EventSummary): string {
  const { id, email, username, ip } = event.user;
  return [
    event.eventId,
    moment(event.occurredAt),
    event.release ?? 'no release',
    event.environment ?? 'no environment',
    event.transaction ?? 'no transaction',
    email ?? username ?? id ?? ip ?? 'no user',
    event.title,
  ].join(' | ');
}
