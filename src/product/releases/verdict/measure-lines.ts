import { compareCounts, compareShares } from '#domain/statistics/compare-shares.ts';
import type { Context } from '#product/context.ts';
import { groupRows } from '#product/explore/rows/explored-rows.ts';
import { exactTerm, spansOf, TRANSACTIONS } from '#product/performance/performance-search.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import { NO_SESSIONS } from '../count-sessions.ts';
import { sessionsOf } from '../read-adoption.ts';
import { environmentParts, ofReleases } from '../release-row.ts';
import { judge, type MeasuredSide, type VerdictLine, type VerdictMeasure } from './release-verdict.ts';

export type VerdictScope = { projectSlugs: readonly string[]; environments: readonly string[] };
export type Side = { version: string; range: Range };

/** How the transactions of both releases ran. Throws Invalid when there are too many. */
export async function measureTransactions(
  ctx: Context,
  scope: VerdictScope,
  own: Side,
  before: Side,
): Promise<readonly VerdictLine[]> {
  const [mine, theirs] = await Promise.all(
    [own, before].map((side) => readTransactions(ctx, scope, side, '')),
  );
  if (!mine || !theirs) return [];
  const limitMs = theirs.p95Ms;
  // Slower than one in twenty were before: a share, which can be compared by how many there are.
  const slow = limitMs === null ? '' : `span.duration:>${limitMs.toFixed(3)}ms`;
  const [slowMine, slowTheirs] = await Promise.all(
    [own, before].map((side) => (slow === '' ? null : readTransactions(ctx, scope, side, slow))),
  );
  return [
    {
      measure: 'p95',
      own: { value: mine.p95Ms, sample: mine.count },
      before: { value: theirs.p95Ms, sample: theirs.count },
      verdict: judge(
        compareShares(
          { hits: slowMine?.count ?? 0, of: mine.count },
          { hits: slowTheirs?.count ?? 0, of: theirs.count },
        ),
      ),
    },
    shareLine(
      'failure_rate',
      { hits: mine.failures, of: mine.count },
      { hits: theirs.failures, of: theirs.count },
      false,
    ),
  ];
}

async function readTransactions(ctx: Context, scope: VerdictScope, side: Side, query: string) {
  const within = `${TRANSACTIONS} ${exactTerm('release', side.version)}`;
  const { groups } = await groupRows(ctx, spansOf({ ...scope, query, range: side.range }, within), {
    groupBy: [],
    functions: ['count()', 'failure_count()', 'p95(span.duration)'],
    sort: null,
    limit: 1,
    offset: 0,
  });
  const [count, failures, p95Ms] = groups[0]?.values ?? [];
  return { count: count ?? 0, failures: failures ?? 0, p95Ms: p95Ms ?? null };
}

/** How the sessions of both releases went. Throws Invalid when there are too many. */
export async function measureSessions(
  ctx: Context,
  { projectSlugs, environments }: VerdictScope,
  own: Side,
  before: Side,
): Promise<readonly VerdictLine[]> {
  const scope = eventScope(ctx, await selectProjects(ctx, projectSlugs));
  const read = async ({ version, range }: Side) => {
    const [group = NO_SESSIONS] = await ctx.stores.telemetry.countSessions(scope, {
      range,
      expression: { kind: 'and', parts: [ofReleases([version]), ...environmentParts(environments)] },
      groupBy: [],
      groups: null,
      bucketMs: null,
      limit: 1,
    });
    return group;
  };
  const [mine, theirs] = await Promise.all([read(own), read(before)]);
  return [
    shareLine(
      'crash_free_sessions',
      { hits: mine.crashed, of: sessionsOf(mine) },
      { hits: theirs.crashed, of: sessionsOf(theirs) },
      true,
    ),
    shareLine(
      'crash_free_users',
      { hits: mine.crashedUsers, of: mine.users },
      { hits: theirs.crashedUsers, of: theirs.users },
      true,
    ),
  ];
}

/** Issues that were new in each release, and that came back in it. */
export async function measureIssues(
  ctx: Context,
  { projectSlugs }: VerdictScope,
  own: Side,
  before: Side,
): Promise<readonly VerdictLine[]> {
  const projectIds = (await selectProjects(ctx, projectSlugs)).map(({ id }) => id);
  const [mine, theirs] = await Promise.all(
    [own, before].map(({ version, range }) =>
      ctx.stores.releases.countReleaseIssues(ctx.organization.id, projectIds, version, range),
    ),
  );
  if (!mine || !theirs) return [];
  const line = (measure: VerdictMeasure, count: number, earlier: number): VerdictLine => ({
    measure,
    own: { value: count, sample: null },
    before: { value: earlier, sample: null },
    verdict: judge(compareCounts(count, earlier)),
  });
  return [
    line('new_issues', mine.fresh, theirs.fresh),
    line('regressed_issues', mine.regressed, theirs.regressed),
  ];
}

type Bad = { hits: number; of: number };

/** Of a share of something bad; `isFree` shows the share without it. */
function shareLine(measure: VerdictMeasure, own: Bad, before: Bad, isFree: boolean): VerdictLine {
  const side = ({ hits, of }: Bad): MeasuredSide => ({
    value: of === 0 ? null : isFree ? 1 - hits / of : hits / of,
    sample: of,
  });
  return { measure, own: side(own), before: side(before), verdict: judge(compareShares(own, before)) };
}
