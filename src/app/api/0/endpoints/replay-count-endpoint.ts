import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { refuseParameters } from '#app/api/0/read-parameters.ts';
import { invalid, isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { getReplay, listIssueReplays } from '#product/replays/replays.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

/** As many as Sentry counts up to. */
const REPLAYS_MAX = 51;
const ASKED_MAX = 25;
const ASKED = /^(issue\.id|replay_id):(?:\[([\w,\s-]{1,2000})\]|([\w-]{1,64}))$/;

const COUNT_REPLAYS = {
  summary: 'Counts the replays of issues',
  scopes: ['event:read'],
  query: {
    returnIds: z.string().describe('true for ids in place of counts'),
    query: z.string().describe('issue.id:[1,2], up to 25 numbers'),
  },
  answer: z.record(z.string(), z.union([z.number(), z.array(z.string())])),
} satisfies Operation;

/**
 * How many replays there are of each asked issue (`query=issue.id:[1,2]`), or which of the asked replays there are
 * (`replay_id:[…]`); with `returnIds` their ids. An issue that is not there has none.
 * Source: https://docs.sentry.io/api/replays/return-a-count-of-replays/
 */
export const countReplaysEndpoint = declare<OrganizationParams>(
  COUNT_REPLAYS,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['environment', 'start', 'end']);
    const ctx = contextOf(caller, params.org);
    const { key, names } = readAsked(url);
    const find = key === 'issue.id' ? findOfIssue : findById;
    const found = await Promise.all(names.map(async (name) => [name, await find(ctx, name)] as const));
    const isWithIds = url.searchParams.get('returnIds') === 'true';
    return {
      body: Object.fromEntries(found.map(([name, ids]) => [name, isWithIds ? ids : ids.length])),
    };
  },
);

function readAsked(url: URL): { key: string; names: readonly string[] } {
  const [, key, list, one] = ASKED.exec((url.searchParams.get('query') ?? '').trim()) ?? [];
  const names = [...new Set((list ?? one ?? '').split(',').map((name) => name.trim()))].filter(Boolean);
  if (key === undefined || names.length === 0 || names.length > ASKED_MAX) {
    throw invalid(
      `Ask for up to ${ASKED_MAX} issues as query=issue.id:[1,2], or for replays as query=replay_id:[…]`,
      'query',
    );
  }
  return { key, names };
}

async function findOfIssue(ctx: Context, name: string): Promise<readonly string[]> {
  const issue = await getIssue(ctx, name).catch(nothing);
  return issue ? listIssueReplays(ctx, issue, REPLAYS_MAX) : [];
}

async function findById(ctx: Context, replayId: string): Promise<readonly string[]> {
  const replay = await getReplay(ctx, { projectSlugs: [], replayId }).catch(nothing);
  return replay ? [replay.replayId] : [];
}

function nothing(error: unknown): null {
  if (isErrataError(error) && error.code === 'not_found') return null;
  throw error;
}
