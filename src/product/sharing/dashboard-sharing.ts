import type { Dashboard } from '#domain/dashboards/dashboard.ts';
import { forbidden, invalid, notFound } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import { DAY_MS } from '#lib/time.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { getDashboard } from '#product/dashboards/dashboards.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { DashboardShare } from './dashboard-share-store.ts';
import { SHARE_DAYS } from './sharing.ts';

/** Whether a dashboard is shared, and whether it may be. Throws NotFound. */
export async function getDashboardSharing(
  ctx: Context,
  dashboardId: number,
): Promise<{ isAllowed: boolean; share: DashboardShare | null }> {
  requireRight(ctx, 'event:read');
  const { id } = await getDashboard(ctx, dashboardId);
  const { issueShares, dashboardShares } = ctx.stores;
  const [isAllowed, share] = await Promise.all([
    issueShares.findAllowed(ctx.organization.id),
    dashboardShares.find(ctx.organization.id, id, ctx.now()),
  ]);
  return { isAllowed, share: isAllowed ? share : null };
}

/**
 * Makes a public page of a dashboard, open to everybody who has its address, of the projects that are saved with it. The
 * address is answered once and not kept; an earlier one opens nothing any more. Throws Forbidden when the organization
 * switched sharing off, Invalid for a dashboard of all projects, NotFound for one that names a project that the actor does
 * not see.
 */
export async function shareDashboard(
  ctx: Context,
  dashboardId: number,
  input: { days: number },
): Promise<{ share: DashboardShare; url: string }> {
  requireRight(ctx, 'event:write');
  if (!SHARE_DAYS.some((days) => days === input.days)) {
    throw invalid(`A dashboard can be shared for ${SHARE_DAYS.join(', ')} days`, 'days');
  }
  if (!(await ctx.stores.issueShares.findAllowed(ctx.organization.id))) {
    throw forbidden(`Sharing is disabled in ${ctx.organization.slug}: ask a manager to enable it`);
  }
  const dashboard = await getDashboard(ctx, dashboardId);
  if (dashboard.filters.projects.length === 0) {
    throw invalid('Select the projects that the link may show, and save them as filters of the dashboard');
  }
  const projects = await selectProjects(ctx, dashboard.filters.projects);
  const token = createOneTimeSecret();
  const nowMs = ctx.now();
  const share = await audited(
    ctx,
    async (ctx) => {
      const put = await ctx.stores.dashboardShares.put(
        ctx.organization.id,
        dashboard.id,
        {
          tokenHash: hashSecret(token),
          projectIds: projects.map(({ id }) => id),
          expiresAt: nowMs + input.days * DAY_MS,
        },
        userIdOf(ctx),
        nowMs,
      );
      if (!put) throw notFound(`Organization ${ctx.organization.slug} has no dashboard ${dashboard.id}`);
      return put;
    },
    () => ({
      action: 'dashboard.share',
      target: targetOf(dashboard),
      data: { days: input.days, projects: projects.map(({ slug }) => slug).join(', ') },
    }),
  );
  return { share, url: `${ctx.publicUrl}/share/dashboard/${token}` };
}

/** The public page of the dashboard is gone. False when it was not shared. Throws NotFound. */
export async function stopSharingDashboard(ctx: Context, dashboardId: number): Promise<boolean> {
  requireRight(ctx, 'event:write');
  const dashboard = await getDashboard(ctx, dashboardId);
  return audited(
    ctx,
    (ctx) => ctx.stores.dashboardShares.remove(ctx.organization.id, dashboard.id, ctx.now()),
    (wasShared) => (wasShared ? { action: 'dashboard.unshare', target: targetOf(dashboard) } : null),
  );
}

const SHARES_MAX = 200;

/** The newest dashboards that are shared, at most 200, of which the actor sees every project. */
export async function listSharedDashboards(ctx: Context): Promise<readonly DashboardShare[]> {
  requireRight(ctx, 'event:read');
  const [shares, projects] = await Promise.all([
    ctx.stores.dashboardShares.list(ctx.organization.id, ctx.now(), SHARES_MAX),
    listVisibleProjects(ctx),
  ]);
  const visible = new Set(projects.map(({ id }) => id));
  return shares.filter(({ projectIds }) => projectIds.every((id) => visible.has(id)));
}

const targetOf = ({ id, title }: Dashboard) => ({ kind: 'dashboard' as const, id, name: title });
