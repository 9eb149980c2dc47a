import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { nullWhenNotFound } from '#app/api/0/path-scope.ts';
import { text } from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { getReplay, listIssueReplays } from '#product/replays/replays.ts';

/** As many as Sentry counts up to. */
const REPLAYS_MAX = 51;
const IDS_MAX = 25;
const COUNT_QUERY = /^(issue\.id|replay_id):(?:\[([\w,\s-]{1,2000})\]|([\w-]{1,64}))$/;

export const replayCountOperations: readonly Operation[] = [
  /**
   * How many replays there are of each requested issue (`query=issue.id:[1,2]`), or which of the requested replays there are
   * (`replay_id:[…]`); with `returnIds` their ids. An issue that is not there has none.
   * Source: https://docs.sentry.io/api/replays/return-a-count-of-replays/
   */
  get('organizations/[org]/replay-count', {
    summary: 'Counts the replays linked to issues',
    scopes: ['event:read'],
    query: {
      returnIds: text('true to return IDs instead of counts'),
      query: text('issue.id:[1,2], up to 25 IDs'),
    },
    refuses: ['environment', 'start', 'end'],
    answer: z.record(z.string(), z.union([z.number(), z.array(z.string())])),
    async handle({ ctx, query }) {
      const { key, names } = readCountQuery(query.query ?? '');
      const find = key === 'issue.id' ? findOfIssue : findById;
      const found = await Promise.all(names.map(async (name) => [name, await find(ctx, name)] as const));
      const isWithIds = query.returnIds === 'true';
      return Object.fromEntries(found.map(([name, ids]) => [name, isWithIds ? ids : ids.length]));
    },
  }),
];

function readCountQuery(query: string): { key: string; names: readonly string[] } {
  const [, key, list, one] = COUNT_QUERY.exec(query.trim()) ?? [];
  const names = [...new Set((list ?? one ?? '').split(',').map((name) => name.trim()))].filter(Boolean);
  if (key === undefined || names.length === 0 || names.length > IDS_MAX) {
    throw invalid(
      `Query up to ${IDS_MAX} issues with query=issue.id:[1,2], or replays with query=replay_id:[…]`,
      'query',
    );
  }
  return { key, names };
}

async function findOfIssue(ctx: Context, name: string): Promise<readonly string[]> {
  const issue = await getIssue(ctx, name).catch(nullWhenNotFound);
  return issue ? listIssueReplays(ctx, issue, REPLAYS_MAX) : [];
}

async function findById(ctx: Context, replayId: string): Promise<readonly string[]> {
  const replay = await getReplay(ctx, { projectSlugs: [], replayId }).catch(nullWhenNotFound);
  return replay ? [replay.replayId] : [];
}
