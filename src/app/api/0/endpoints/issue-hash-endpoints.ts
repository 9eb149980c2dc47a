import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE } from '#app/api/0/parameters.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { EVENT } from '#app/api/0/schemas/event.ts';
import { serializeEvent } from '#app/api/0/serializers/serialize-event.ts';
import { invalid } from '#lib/errors.ts';
import { listIssueHashes, unmergeHashes } from '#product/grouping/merge-issues.ts';
import { findIssue, type IssueParams } from './find-issue.ts';

/** Newest events of so many hashes are read for one answer. */
const HASHES_MAX = 25;

const LIST_ISSUE_HASHES = {
  summary: 'Lists the grouping hashes of an issue',
  scopes: ['event:read'],
  query: { ...PAGE },
  answer: z.array(z.object({ id: z.string(), timesSeen: z.number(), latestEvent: EVENT.nullable() })),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/list-an-issues-hashes/ */
export const listIssueHashesEndpoint = declare<IssueParams>(
  LIST_ISSUE_HASHES,
  async ({ caller, params, url }) => {
    const { ctx, issue } = await findIssue(caller, params);
    const limit = Math.min(readLimit(url), HASHES_MAX);
    return answerPage(ctx.publicUrl, url, async () => {
      const hashes = await listIssueHashes(ctx, issue, { limit, withEvents: true });
      const alone = { previousId: null, nextId: null, position: 0, total: 0 };
      return {
        rows: hashes.map(({ hash, timesSeen, latestEvent }) => ({
          id: hash,
          timesSeen,
          latestEvent: latestEvent && serializeEvent(latestEvent, issue, alone),
        })),
        nextCursor: null,
      };
    });
  },
);

const UNMERGE_HASHES = {
  summary: 'Splits hashes off an issue',
  scopes: ['event:write'],
  query: { id: z.array(z.string()).describe('Hashes') },
  answer: z.object({ id: z.string() }),
  status: 202,
} satisfies Operation;

/** Takes the hashes that the query string names in `id` out of the issue. */
export const unmergeHashesEndpoint = declare<IssueParams>(UNMERGE_HASHES, async ({ caller, params, url }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const hashes = url.searchParams.getAll('id').flatMap((ids) => ids.split(',').filter(Boolean));
  if (hashes.length === 0) throw invalid('No hash is named: add ?id=… for each one to take out', 'id');
  const { issueId } = await unmergeHashes(ctx, issue, hashes);
  return { body: { id: String(issueId) }, status: 202 };
});
