import { z } from 'zod';
import { MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { chartRows, groupRows, listRows, type RowQuestion } from '#product/explore/rows/explored-rows.ts';
import { questionInputs, questionOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

const COLUMNS_MAX = 12;
const PERIOD_DEFAULT = '14d';

/** What values are sorted by, and its function; the value itself has none. */
const FUNCTIONS = {
  events: 'count()',
  users: 'count_unique(user)',
  first: 'first_seen()',
  last: 'last_seen()',
  value: null,
} as const;
const SHOWN = [FUNCTIONS.events, FUNCTIONS.users, FUNCTIONS.first, FUNCTIONS.last];

const INPUT = z.strictObject({
  ...questionInputs('The search. Defaults to all events.', PERIOD_DEFAULT),
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
    .describe(
      'A field or tag, or issue: returns its values with their event and user counts instead of events.',
    ),
  sort: z
    .enum(Object.keys(FUNCTIONS) as [keyof typeof FUNCTIONS])
    .default('events')
    .describe('Order of the values when grouped.'),
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
    const question: RowQuestion = { dataset: 'errors', ...questionOf(input, ctx.now()) };
    const total = { groupBy: [], functions: SHOWN.slice(0, 2), sort: null };
    const [totals, { series, bucketMs }, rows] = await Promise.all([
      groupRows(ctx, question, { ...total, limit: 1, offset: 0 }),
      chartRows(ctx, question, { ...total, functions: [FUNCTIONS.events], top: 1 }),
      input.group_by === undefined
        ? tellEvents(ctx, question, input)
        : tellGroups(ctx, question, { ...input, field: input.group_by }),
    ]);
    const [events = 0, users = 0] = totals.groups[0]?.values ?? [];
    if (events === 0) return `No matching events in the last ${input.period}.`;
    const buckets = series[0]?.values[0] ?? [];
    return paragraphs(
      `${events} events of ${users} users in the last ${input.period}. Events in each ${bucketMs / MINUTE_MS} minutes, oldest first: ${buckets.join(' ')}`,
      DATA_SENTENCE,
      rows,
    );
  },
});

async function tellEvents(ctx: Context, question: RowQuestion, input: Input): Promise<string> {
  const { rows, nextCursor } = await listRows(ctx, question, {
    fields: [...input.columns, 'title'],
    sort: '-timestamp',
    limit: input.limit,
    cursor: input.cursor ?? null,
  });
  const columns = ['event id', 'time', 'issue', 'project', ...input.columns, 'title'];
  return paragraphs(
    `Each row: ${columns.join(' | ').replaceAll('`', '')}`,
    fencedRows(
      rows.map(({ id, occurredAtUs, shortId, projectSlug, values }) =>
        [
          id,
          moment(occurredAtUs / 1_000),
          shortId ?? 'issue was deleted',
          projectSlug,
          ...values.map((value) => value || '-'),
        ].join(' | '),
      ),
    ),
    moreRows(nextCursor),
  );
}

async function tellGroups(
  ctx: Context,
  question: RowQuestion,
  input: Input & { field: string },
): Promise<string> {
  const { groups, distinct, hasMore } = await groupRows(ctx, question, {
    groupBy: [input.field],
    functions: SHOWN,
    sort: `-${FUNCTIONS[input.sort] ?? input.field}`,
    limit: input.limit,
    offset: input.offset,
  });
  return paragraphs(
    `${distinct} values. Each row: events | users | first | last | value`,
    fencedRows(
      groups.map(({ keys: [value], values: [events, users, firstSeen, lastSeen] }) =>
        [events, users, moment(firstSeen ?? 0), moment(lastSeen ?? 0), value || '(none)'].join(' | '),
      ),
    ),
    hasMore && `There are more: call this again with the offset ${input.offset + groups.length}.`,
  );
}
