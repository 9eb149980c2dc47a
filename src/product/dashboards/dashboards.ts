import {
  DASHBOARD_CONTENT,
  type Dashboard,
  type DashboardContent,
  WIDGET,
  type Widget,
} from '#domain/dashboards/dashboard.ts';
import { queriesOf } from '#domain/dashboards/widget-queries.ts';
import { conflict, invalid, isErrataError, notFound } from '#lib/errors.ts';
import { HOUR_MS } from '#lib/time.ts';
import { personalUserId, userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkTable } from '#product/explore/rows/explored-rows.ts';
import { openRows } from '#product/explore/rows/open-rows.ts';
import { requireRight } from '#product/permissions.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { questionOf } from './widget-question.ts';

/** Dashboards of an organization. */
export const DASHBOARDS_MAX = 500;

/** All of the organization: first what the actor starred, then by title. */
export async function listDashboards(ctx: Context): Promise<readonly Dashboard[]> {
  requireRight(ctx, 'event:read');
  return await ctx.stores.dashboards.list(ctx.organization.id, userIdOf(ctx) ?? '', DASHBOARDS_MAX);
}

/** Throws NotFound. */
export async function getDashboard(ctx: Context, dashboardId: number): Promise<Dashboard> {
  requireRight(ctx, 'event:read');
  const found = await ctx.stores.dashboards.find(ctx.organization.id, userIdOf(ctx) ?? '', dashboardId);
  if (!found) throw notFound(`Organization ${ctx.organization.slug} has no dashboard ${dashboardId}`);
  return found;
}

/** Throws Invalid for what cannot be shown, Conflict for a title that is taken and above the bound. */
export async function createDashboard(ctx: Context, content: unknown): Promise<Dashboard> {
  requireRight(ctx, 'event:write');
  const read = await readContent(ctx, content);
  if ((await ctx.stores.dashboards.count(ctx.organization.id)) >= DASHBOARDS_MAX) {
    throw conflict(`An organization can have ${DASHBOARDS_MAX} dashboards: delete one first`);
  }
  return await audited(
    ctx,
    (within) => within.stores.dashboards.create(within.organization.id, userIdOf(within), read, within.now()),
    (created) => ({ action: 'dashboard.add', target: targetOf(created) }),
  );
}

/**
 * Changes a dashboard. `version` is the one that the change was made to: when there is a newer one, Conflict is thrown, so
 * that nobody overwrites what they have not seen; null for the newest. Throws as `createDashboard`, and NotFound.
 */
export async function updateDashboard(
  ctx: Context,
  dashboardId: number,
  change: Partial<DashboardContent>,
  version: number | null,
): Promise<Dashboard> {
  requireRight(ctx, 'event:write');
  const before = await getDashboard(ctx, dashboardId);
  const { title, description, widgets, variables, filters } = { ...before, ...change };
  const read = await readContent(ctx, { title, description, widgets, variables, filters }, before);
  const seen = { id: dashboardId, version: version ?? before.version };
  return await audited(
    ctx,
    async (within) => {
      const { dashboards } = within.stores;
      if (!(await dashboards.replace(within.organization.id, seen, read, within.now()))) {
        throw conflict('Someone changed this dashboard in the meantime: reload the page, then try again');
      }
      return await getDashboard(within, dashboardId);
    },
    (after) => ({ action: 'dashboard.edit', target: targetOf(after) }),
  );
}

/** Throws NotFound. */
export async function deleteDashboard(ctx: Context, dashboardId: number): Promise<void> {
  requireRight(ctx, 'event:write');
  const found = await getDashboard(ctx, dashboardId);
  await audited(
    ctx,
    (within) => within.stores.dashboards.delete(within.organization.id, dashboardId),
    () => ({ action: 'dashboard.remove', target: targetOf(found) }),
  );
}

/** Puts it at the top of the actor's own list, or takes it away from there. Throws NotFound. */
export async function starDashboard(ctx: Context, dashboardId: number, isStarred: boolean): Promise<void> {
  requireRight(ctx, 'event:read');
  const userId = personalUserId(ctx);
  const { id } = await getDashboard(ctx, dashboardId);
  await ctx.stores.dashboards.star(userId, id, isStarred);
}

const targetOf = ({ id, title }: Dashboard) => ({ kind: 'dashboard' as const, id, name: title });

/** What can be stored: widgets that were asked before need no look. Throws Invalid, naming the widget. */
async function readContent(ctx: Context, content: unknown, before?: Dashboard): Promise<DashboardContent> {
  const parsed = DASHBOARD_CONTENT.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw invalid(
      `${place ? `${place}: ` : ''}${issue?.message ?? 'This is not a dashboard'}`,
      String(issue?.path[0] ?? ''),
    );
  }
  const { widgets } = parsed.data;
  if (new Set(widgets.map(({ id }) => id)).size < widgets.length) {
    throw invalid('Two widgets have the same ID: give each its own', 'widgets');
  }
  const known = new Set(before?.widgets.map((widget) => JSON.stringify(WIDGET.parse(widget))));
  for (const widget of widgets) {
    if (!known.has(JSON.stringify(widget))) await checkWidget(ctx, widget);
  }
  return parsed.data;
}

/** Throws Invalid for what could not be asked. */
async function checkWidget(ctx: Context, widget: Widget): Promise<void> {
  if (widget.display === 'text') return;
  try {
    if (widget.display === 'issues') {
      await openIssueSearch(ctx, widget.query, await selectProjects(ctx, []), { range: null });
      return;
    }
    checkTable(widget.dataset, questionOf(widget));
    const toMs = ctx.now();
    for (const { query } of queriesOf(widget)) {
      await openRows(ctx, {
        dataset: widget.dataset,
        query,
        projectSlugs: [],
        environments: [],
        // Nothing is read: any time will do.
        range: { fromMs: toMs - HOUR_MS, toMs },
      });
    }
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'invalid') throw error;
    throw invalid(`Widget "${widget.title}": ${error.message}`, error.field ?? undefined);
  }
}
