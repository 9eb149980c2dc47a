import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { getDashboard } from '#product/dashboards/dashboards.ts';

/** The dashboard of an address, and who asks. Shows the page for what does not exist when there is none. */
export async function loadDashboard(params: Promise<{ org: string; dashboard: string }>) {
  const { org, dashboard: id } = await params;
  const ctx = await getRequestContext(org);
  const dashboardId = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0;
  return { org, ctx, dashboard: await orNotFound(getDashboard(ctx, dashboardId)) };
}
