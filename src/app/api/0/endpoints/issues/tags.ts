import { z } from 'zod';
import { readOffset, writeOffset } from '#app/api/0/offset-cursor.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PAGE, PROJECTS, RANGE, text } from '#app/api/0/query.ts';
import { each, isoMs, shapeOf } from '#app/api/0/shape.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { listTagKeys } from '#product/explore/explore-fields.ts';
import { groupRows } from '#product/explore/rows/explored-rows.ts';
import { listIssueTags, listTagValues } from '#product/issues/issue-tags.ts';
import { seenWithin } from '#product/search/open-issue-search.ts';
import type { Range } from '#product/time-buckets.ts';
import type { TagValue } from '#storage/ports/events.ts';

/** A value of a tag with how often and when events carried it; times are ISO 8601. */
const [TAG_VALUE, serializeValue] = shapeOf<TagValue, [key: string]>()({
  key: [z.string(), (_, key) => key],
  ...each([z.string(), 'value'], 'name', 'value'),
  count: z.number(),
  firstSeen: isoMs('firstSeen'),
  lastSeen: isoMs('lastSeen'),
});

type CountedTag = { key: string; total: number; distinct: number };

const [ISSUE_TAG, serializeTag] = shapeOf<CountedTag>()({
  ...each([z.string(), 'key'], 'key', 'name'),
  totalValues: [z.number(), 'total'],
  uniqueValues: [z.number(), 'distinct'],
});
const TOP_VALUE = TAG_VALUE.omit({ firstSeen: true, lastSeen: true });

/** Events are kept this long at most. */
const ANY_TIME_MS = 90 * DAY_MS;
const TOP_VALUES = 10;
const DATASETS = ['', 'errors', 'events', 'discover'];

export const tagOperations: readonly Operation[] = [
  /** The most frequent tags of an issue's newest events. Source: https://docs.sentry.io/api/events/ */
  get(['issues/[issue]/tags', 'organizations/[org]/issues/[issue]/tags'], {
    summary: "Lists an issue's most frequent tags",
    scopes: ['event:read'],
    query: { ...RANGE },
    refuses: ['environment', 'query'],
    answer: z.array(ISSUE_TAG.extend({ topValues: z.array(TOP_VALUE) })),
    async handle({ ctx, issue, query }) {
      const tags = await listIssueTags(ctx, issue, { range: rangeOf(ctx, query) });
      return tags.map((tag) => ({
        ...serializeTag(tag),
        topValues: tag.top.map(({ value, count }) => ({ key: tag.key, name: value, value, count })),
      }));
    },
  }),

  /** Source: https://docs.sentry.io/api/events/retrieve-tag-details/ */
  get(['issues/[issue]/tags/[key]', 'organizations/[org]/issues/[issue]/tags/[key]'], {
    summary: "Retrieves an issue's tag with its most frequent values",
    scopes: ['event:read'],
    query: { ...RANGE },
    refuses: ['environment', 'query'],
    answer: ISSUE_TAG.extend({ topValues: z.array(TAG_VALUE) }),
    async handle({ ctx, issue, params, query }) {
      const input = { key: params.key, range: rangeOf(ctx, query), limit: TOP_VALUES };
      const tag = await listTagValues(ctx, issue, input);
      if (tag.total === 0) {
        throw notFound(`Issue ${issue.shortId} has no events with the tag "${params.key.slice(0, 80)}"`);
      }
      return {
        ...serializeTag(tag),
        topValues: tag.values.map((value) => serializeValue(value, tag.key)),
      };
    },
  }),

  /** Most frequent first. Source: https://docs.sentry.io/api/events/list-a-tags-values-for-an-issue/ */
  get(['issues/[issue]/tags/[key]/values', 'organizations/[org]/issues/[issue]/tags/[key]/values'], {
    summary: "Lists the values of an issue's tag, most frequent first",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE },
    refuses: ['environment', 'query', 'sort'],
    answer: z.array(TAG_VALUE),
    isPaged: true,
    async handle({ ctx, issue, params, query, page }) {
      const input = { key: params.key, range: rangeOf(ctx, query), limit: query.limit };
      return page(async () => {
        const tag = await listTagValues(ctx, issue, input);
        return tag.values.map((value) => serializeValue(value, tag.key));
      });
    },
  }),

  /** Tags that errors carry. Source: `tags` of an organization, as Sentry's MCP server reads it. */
  get('organizations/[org]/tags', {
    summary: 'Lists tags found on errors',
    scopes: ['event:read'],
    query: { ...RANGE, ...PROJECTS, dataset: text('Which data: errors') },
    refuses: ['environment', 'query'],
    answer: z.array(z.object({ key: z.string(), name: z.string() })),
    async handle({ ctx, query }) {
      const dataset = query.dataset ?? '';
      if (!DATASETS.includes(dataset)) throw invalid('Only errors have tags: use dataset=errors', 'dataset');
      const { projectSlugs } = query;
      const keys = await listTagKeys(ctx, { projectSlugs, range: projectRange(ctx, query) });
      return keys.map((key) => ({ key, name: key }));
    },
  }),

  /** Most frequent first. Source: https://docs.sentry.io/api/projects/list-a-tags-values/ */
  get('projects/[org]/[project]/tags/[key]/values', {
    summary: "Lists a tag's values in a project, most frequent first",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE },
    refuses: ['environment', 'query', 'sort'],
    answer: z.array(TAG_VALUE),
    isPaged: true,
    async handle({ ctx, project, params, query, page }) {
      const { limit } = query;
      const question = {
        dataset: 'errors' as const,
        query: '',
        environments: [],
        projectSlugs: [project.slug],
        range: projectRange(ctx, query),
      };
      return page(async (cursor) => {
        const offset = readOffset(cursor);
        const { groups, hasMore } = await groupRows(ctx, question, {
          groupBy: [`tags[${params.key}]`],
          functions: ['count()', 'first_seen()', 'last_seen()'],
          sort: null,
          limit,
          offset,
        });
        return {
          rows: groups
            .filter(({ keys: [value] }) => value !== '')
            .map(({ keys: [value = ''], values: [count, firstSeen, lastSeen] }) =>
              serializeValue(
                { value, count: count ?? 0, firstSeen: firstSeen ?? 0, lastSeen: lastSeen ?? 0 },
                params.key,
              ),
            ),
          nextCursor: hasMore ? writeOffset(offset + limit) : null,
        };
      });
    },
  }),
];

function rangeOf(ctx: Context, { range }: { range: Range | null }): Range {
  return range === null ? anyTime(ctx) : (seenWithin(ctx, range) ?? range);
}

/** What is dated a little ahead counts as well. */
export function anyTime(ctx: Context): Range {
  const nowMs = ctx.now();
  const range = { fromMs: nowMs - ANY_TIME_MS, toMs: nowMs };
  return seenWithin(ctx, range) ?? range;
}

function projectRange(ctx: Context, { range }: { range: Range | null }): Range {
  const nowMs = ctx.now();
  return range ?? { fromMs: nowMs - ANY_TIME_MS, toMs: nowMs + 1 };
}
