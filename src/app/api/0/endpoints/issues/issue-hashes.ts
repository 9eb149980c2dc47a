import { z } from 'zod';
import { del, get, type Operation, put } from '#app/api/0/operation.ts';
import { PAGE, texts } from '#app/api/0/query.ts';
import { EVENT, serializeEvent } from '#app/api/0/shapes/event.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listIssueHashes, unmergeHashes } from '#product/grouping/merge-issues.ts';

/** Newest events of so many hashes are read for one answer. */
const HASHES_MAX = 25;

/** Takes the hashes that the query string names in `id` out of the issue. */
const UNMERGE = {
  summary: 'Unmerges hashes from an issue',
  scopes: ['event:write'],
  query: { id: texts('Hashes') },
  answer: z.object({ id: z.string() }),
  status: 202,
  async handle({ ctx, issue, query }: { ctx: Context; issue: Issue; query: { id: readonly string[] } }) {
    const hashes = query.id.flatMap((ids) => ids.split(',').filter(Boolean));
    if (hashes.length === 0) throw invalid('No hashes specified: add ?id=… for each hash to unmerge', 'id');
    const { issueId } = await unmergeHashes(ctx, issue, hashes);
    return { id: String(issueId) };
  },
} as const;

export const issueHashOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/events/list-an-issues-hashes/ */
  get(['issues/[issue]/hashes', 'organizations/[org]/issues/[issue]/hashes'], {
    summary: "Lists an issue's grouping hashes",
    scopes: ['event:read'],
    query: { ...PAGE },
    answer: z.array(z.object({ id: z.string(), timesSeen: z.number(), latestEvent: EVENT.nullable() })),
    isPaged: true,
    async handle({ ctx, issue, query, page }) {
      const limit = Math.min(query.limit, HASHES_MAX);
      return page(async () => {
        const hashes = await listIssueHashes(ctx, issue, { limit, withEvents: true });
        const alone = { previousId: null, nextId: null, position: 0, total: 0 };
        return hashes.map(({ hash, timesSeen, latestEvent }) => ({
          id: hash,
          timesSeen,
          latestEvent: latestEvent && serializeEvent(latestEvent, issue, alone),
        }));
      });
    },
  }),

  put(['issues/[issue]/hashes', 'organizations/[org]/issues/[issue]/hashes'], UNMERGE),
  del(['issues/[issue]/hashes', 'organizations/[org]/issues/[issue]/hashes'], UNMERGE),
];
