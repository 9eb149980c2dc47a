import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { eventScope } from '#product/visible-projects.ts';
import {
  RELEASE_RANKS,
  type Release,
  type ReleaseRank,
  type ReleaseStatus,
  SEARCH_CHARACTERS_MAX,
} from './release.ts';
import { type Health, listHealth, type ReleaseScope, sumHealth } from './release-row.ts';

/** Releases that are put in order: those with the most sessions. */
const RANKED_MAX = 1_000;

const VALUES: Readonly<Record<ReleaseRank, (health: Health) => number | null>> = {
  adoption: ({ share }) => share,
  sessions: ({ sessions }) => sessions,
  users: ({ users }) => users,
  crash_free_sessions: ({ crashFreeSessions }) => negative(crashFreeSessions),
  crash_free_users: ({ crashFreeUsers }) => negative(crashFreeUsers),
};

/** The least comes first. */
const negative = (share: number | null): number | null => (share === null ? null : -share);

const PLACE = z.object({ sort: z.enum(RELEASE_RANKS), offset: z.number().int().min(0).max(RANKED_MAX) });

/** Releases of the scope that have sessions, in the order of how these went. Throws Invalid. */
export async function rankReleases(
  ctx: Context,
  scope: ReleaseScope,
  {
    sort,
    search,
    status,
    limit,
    cursor,
  }: {
    sort: ReleaseRank;
    search: string;
    status: ReleaseStatus | null;
    limit: number;
    cursor: string | null;
  },
): Promise<{ releases: readonly Release[]; nextCursor: string | null }> {
  checkLimit(limit);
  if (search.length > SEARCH_CHARACTERS_MAX) {
    throw invalid(`A release search can have at most ${SEARCH_CHARACTERS_MAX} characters`, 'query');
  }
  const after = decodeCursor(cursor, PLACE);
  if (after && after.sort !== sort) {
    throw invalid(
      `The cursor belongs to a list sorted by ${after.sort}: start again without a cursor`,
      'cursor',
    );
  }
  const toMs = ctx.now();
  const measured = sort === 'adoption' ? { ...scope, range: { fromMs: toMs - DAY_MS, toMs } } : scope;
  const [health, sessions] = await Promise.all([
    listHealth(ctx, measured),
    ctx.stores.telemetry.countProjectSessions(eventScope(ctx, scope.projects), measured),
  ]);
  const values = new Map(
    [...new Set(health.map(({ release }) => release))].map((version) => {
      const of = sumHealth(health, sessions, version);
      return [version, of && VALUES[sort](of)];
    }),
  );
  const { releases } = await ctx.stores.releases.listPage(
    ctx.organization.id,
    scope.projects.map(({ id }) => id),
    {
      search: search.trim(),
      versions: [...values.keys()],
      status,
      sort: 'date',
      limit: RANKED_MAX,
      after: null,
    },
  );
  // What has no such number comes last; among equals the newest first, as they were read.
  const rankOf = ({ version }: Release) => values.get(version) ?? Number.NEGATIVE_INFINITY;
  const ranked = releases.toSorted((a, b) => {
    const [one, other] = [rankOf(a), rankOf(b)];
    return one === other ? 0 : other - one;
  });
  const offset = after?.offset ?? 0;
  const end = offset + limit;
  return {
    releases: ranked.slice(offset, end),
    nextCursor: ranked.length > end ? encodeCursor({ sort, offset: end }) : null,
  };
}
