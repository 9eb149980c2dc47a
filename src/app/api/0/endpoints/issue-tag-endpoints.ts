import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, RANGE } from '#app/api/0/parameters.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { TAG_VALUES } from '#app/api/0/schemas/tag-values.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listIssueTags, listTagValues } from '#product/issues/issue-tags.ts';
import { seenWithin } from '#product/search/open-issue-search.ts';
import type { Range } from '#product/time-buckets.ts';
import type { TagValue } from '#storage/ports/events.ts';
import { findIssue, type IssueParams } from './find-issue.ts';

type TagParams = IssueParams & { key: string };

/** Events are kept this long at most. */
const ANY_TIME_MS = 90 * 24 * 3_600_000;
const TOP_VALUES = 10;

const LIST_ISSUE_TAGS = {
  summary: 'Lists the most frequent tags of an issue',
  scopes: ['event:read'],
  query: { ...RANGE },
  answer: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      totalValues: z.number(),
      uniqueValues: z.number(),
      topValues: z.array(
        z.object({ key: z.string(), name: z.string(), value: z.string(), count: z.number() }),
      ),
    }),
  ),
} satisfies Operation;

/** The most frequent tags of an issue's newest events. Source: https://docs.sentry.io/api/events/ */
export const listIssueTagsEndpoint = declare<IssueParams>(
  LIST_ISSUE_TAGS,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['environment', 'query']);
    const { ctx, issue } = await findIssue(caller, params);
    const tags = await listIssueTags(ctx, issue, { range: rangeOf(ctx, url) });
    return {
      body: tags.map((tag) => ({
        key: tag.key,
        name: tag.key,
        totalValues: tag.total,
        uniqueValues: tag.distinct,
        topValues: tag.top.map(({ value, count }) => ({ key: tag.key, name: value, value, count })),
      })),
    };
  },
);

const GET_ISSUE_TAG = {
  summary: 'Answers a tag of an issue with its most frequent values',
  scopes: ['event:read'],
  query: { ...RANGE },
  answer: z.object({
    key: z.string(),
    name: z.string(),
    totalValues: z.number(),
    uniqueValues: z.number(),
    topValues: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        value: z.string(),
        count: z.number(),
        firstSeen: z.string(),
        lastSeen: z.string(),
      }),
    ),
  }),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/retrieve-tag-details/ */
export const getIssueTagEndpoint = declare<TagParams>(GET_ISSUE_TAG, async ({ caller, params, url }) => {
  refuseParameters(url, ['environment', 'query']);
  const { ctx, issue } = await findIssue(caller, params);
  const input = { key: params.key, range: rangeOf(ctx, url), limit: TOP_VALUES };
  const tag = await listTagValues(ctx, issue, input);
  if (tag.total === 0) {
    throw notFound(`No event of the issue ${issue.shortId} carries the tag "${params.key.slice(0, 80)}"`);
  }
  return {
    body: {
      key: tag.key,
      name: tag.key,
      totalValues: tag.total,
      uniqueValues: tag.distinct,
      topValues: tag.values.map((value) => serializeValue(tag.key, value)),
    },
  };
});

const LIST_ISSUE_TAG_VALUES = {
  summary: 'Lists the values of a tag of an issue, most frequent first',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE },
  answer: TAG_VALUES,
  isPaged: true,
} satisfies Operation;

/** Most frequent first. Source: https://docs.sentry.io/api/events/list-a-tags-values-for-an-issue/ */
export const listIssueTagValuesEndpoint = declare<TagParams>(
  LIST_ISSUE_TAG_VALUES,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['environment', 'query', 'sort']);
    const { ctx, issue } = await findIssue(caller, params);
    const input = { key: params.key, range: rangeOf(ctx, url), limit: readLimit(url) };
    return answerPage(ctx.publicUrl, url, async () => {
      const tag = await listTagValues(ctx, issue, input);
      return { rows: tag.values.map((value) => serializeValue(tag.key, value)), nextCursor: null };
    });
  },
);

function rangeOf(ctx: Context, url: URL): Range {
  const range = readRange(url, ctx.now());
  return range === null ? anyTime(ctx) : (seenWithin(ctx, range) ?? range);
}

/** What is dated a little ahead counts as well. */
export function anyTime(ctx: Context): Range {
  const nowMs = ctx.now();
  const range = { fromMs: nowMs - ANY_TIME_MS, toMs: nowMs };
  return seenWithin(ctx, range) ?? range;
}

const serializeValue = (key: string, { value, count, firstSeen, lastSeen }: TagValue) => ({
  key,
  name: value,
  value,
  count,
  firstSeen: new Date(firstSeen).toISOString(),
  lastSeen: new Date(lastSeen).toISOString(),
});
