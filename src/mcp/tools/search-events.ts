import { z } from 'zod';
import { MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import {
  countExploredEvents,
  groupExploredEvents,
  listExploredEvents,
  type Question,
} from '#product/explore/explored-events.ts';
import { GROUP_SORTS } from '#storage/ports/event-explore.ts';
import { cursorInput, environmentInput, limitInput, periodInput, projectInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

const COLUMNS_MAX = 12;
const PERIOD_DEFAULT = '14d';

const INPUT = z.strictObject({
  query: z.string().max(4_096).default('').describe('The search. Defaults to all events.'),
  project: projectInput,
  environment: environmentInput,
  period: periodInput.default(PERIOD_DEFAULT),
  columns: z
    .array(z.string().min(1).max(200))
    .max(COLUMNS_MAX)
    .default([])
    .describe(
      'Additional fields and tags for each row, such as release, user.email, http.url, browser.name.',
    ),
  group_by: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A field or tag: returns its values with their event and user counts instead of events.'),
  sort: z.enum(GROUP_SORTS).default('events').describe('Order of the values when grouped.'),
  limit: limitInput,
  offset: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe('Offset of the first value to return when grouped.'),
  cursor: cursorInput,
});
type Input = z.output<typeof INPUT>;

export const searchEvents = defineTool({
  name: 'search_events',
  title: 'Search events',
  description:
    'Stored error events that match a search in the syntax of search_issues (issue-only keys, such as is, are rejected; issue:WEB-3F matches events of that issue, id:… a single event), newest first; or, with group_by, the values of a field with how many events and users have each. Answers questions like "in which releases, browsers or URLs does this happen?".',
  right: 'event:read',
  input: INPUT,
  async run(ctx, input) {
    const question: Question = {
      query: input.query,
      projectSlugs: input.project ? [input.project] : [],
      environments: input.environment ? [input.environment] : [],
      range: rangeOf(input.period, ctx.now()),
    };
    const [{ events, users, buckets, bucketMs }, rows] = await Promise.all([
      countExploredEvents(ctx, question),
      input.group_by === undefined
        ? listRows(ctx, question, input)
        : groupRows(ctx, question, { ...input, field: input.group_by }),
    ]);
    if (events === 0) return `No matching events in the last ${input.period}.`;
    return paragraphs(
      `${events} events of ${users} users in the last ${input.period}. Events in each ${bucketMs / MINUTE_MS} minutes, oldest first: ${buckets.join(' ')}`,
      DATA_SENTENCE,
      rows,
    );
  },
});

async function listRows(ctx: Context, question: Question, input: Input): Promise<string> {
  const { rows, nextCursor } = await listExploredEvents(ctx, question, {
    columns: input.columns,
    order: 'newest',
    limit: input.limit,
    cursor: input.cursor ?? null,
  });
  const columns = ['event id', 'time', 'issue', 'project', ...input.columns, 'title'];
  return paragraphs(
    `Each row: ${columns.join(' | ').replaceAll('`', '')}`,
    fencedRows(
      rows.map(({ eventId, occurredAt, shortId, projectSlug, cells, title }) =>
        [
          eventId,
          moment(occurredAt),
          shortId ?? 'issue was deleted',
          projectSlug,
          ...cells.map((cell) => cell || '-'),
          title,
        ].join(' | '),
      ),
    ),
    moreRows(nextCursor),
  );
}

async function groupRows(
  ctx: Context,
  question: Question,
  input: Input & { field: string },
): Promise<string> {
  const { groups, distinct, hasMore } = await groupExploredEvents(ctx, question, {
    field: input.field,
    sort: input.sort,
    isDescending: true,
    limit: input.limit,
    offset: input.offset,
  });
  return paragraphs(
    `${distinct} values. Each row: events | users | first | last | value`,
    fencedRows(
      groups.map(({ value, events, users, firstSeen, lastSeen }) =>
        [events, users, moment(firstSeen), moment(lastSeen), value || '(none)'].join(' | '),
      ),
    ),
    hasMore && `There are more: call this again with the offset ${input.offset + groups.length}.`,
  );
}
