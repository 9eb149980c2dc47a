import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { findVisibleRelease } from '../get-release.ts';
import type { Release } from '../release.ts';
import { unlessTooMuch } from '../unless-too-much.ts';
import { measureIssues, measureSessions, measureTransactions, type VerdictScope } from './measure-lines.ts';
import { listNewLogPatterns } from './new-log-patterns.ts';
import { type ReleaseVerdict, type VerdictWindow, verdictOf } from './release-verdict.ts';

/** A release is judged by its first days: later ones say more about the program that uses it. */
const VERDICT_DAYS_MAX = 7;
const WINDOW_MS_MIN = MINUTE_MS;

/**
 * How a release is doing beside the release before it, each from its first deploy (in the environments), or else its first
 * event, over the same length of time. Throws NotFound when no visible project has the release.
 */
export async function getReleaseVerdict(
  ctx: Context,
  input: VerdictScope & { version: string },
): Promise<ReleaseVerdict> {
  requireRight(ctx, 'event:read');
  const { version, environments } = input;
  const organizationId = ctx.organization.id;
  const { release, projects } = await findVisibleRelease(ctx, input);
  const projectIds = projects.map(({ id }) => id);
  const { older } = await ctx.stores.releases.findNeighbours(organizationId, projectIds, release.id);
  const before =
    older === null ? null : await ctx.stores.releases.findRelease(organizationId, projectIds, older);
  const deploys = await ctx.stores.deploys.findFirst(
    organizationId,
    [release, ...(before ? [before] : [])].map(({ id }) => id),
    environments,
  );
  const startOf = (each: Release) => {
    const deployedAt = deploys.get(each.id);
    if (deployedAt !== undefined) return { since: 'deploy', fromMs: deployedAt } as const;
    const seen = each.projects.map(({ firstSeen }) => firstSeen);
    return { since: 'event', fromMs: Math.min(...seen) } as const;
  };
  const start = startOf(release);
  const lengthMs = Math.max(WINDOW_MS_MIN, Math.min(VERDICT_DAYS_MAX * DAY_MS, ctx.now() - start.fromMs));
  const windowFrom = ({ since, fromMs }: ReturnType<typeof startOf>): VerdictWindow => ({
    since,
    fromMs,
    toMs: fromMs + lengthMs,
  });
  const scope: VerdictScope = { projectSlugs: projects.map(({ slug }) => slug), environments };
  const own = { version, range: windowFrom(start) };
  const other = before && { version: before.version, range: windowFrom(startOf(before)) };
  const [transactions, sessions, issues, logPatterns] = await Promise.all([
    other ? unlessTooMuch(measureTransactions(ctx, scope, own, other), []) : [],
    other ? unlessTooMuch(measureSessions(ctx, scope, own, other), []) : [],
    other ? measureIssues(ctx, scope, own, other) : [],
    unlessTooMuch(listNewLogPatterns(ctx, { ...scope, range: own.range }, own, other), null),
  ]);
  const lines = [...transactions, ...sessions, ...issues];
  return {
    version,
    before: other?.version ?? null,
    windows: { own: own.range, before: other?.range ?? null },
    verdict: verdictOf(lines),
    lines,
    logPatterns,
  };
}
