import { getRequestContext } from '#app/request-context.ts';
import { DASHBOARD_CONTENT } from '#domain/dashboards/dashboard.ts';
import { isErrataError } from '#lib/errors.ts';
import { getDashboard } from '#product/dashboards/dashboards.ts';

/** A dashboard as a file that can be imported elsewhere. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ org: string; dashboard: string }> },
): Promise<Response> {
  const { org, dashboard: id } = await params;
  const ctx = await getRequestContext(org);
  try {
    const { title, description, widgets, variables, filters } = await getDashboard(ctx, Number(id) || 0);
    const content = DASHBOARD_CONTENT.parse({ title, description, widgets, variables, filters });
    const name =
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'dashboard';
    return new Response(`${JSON.stringify(content, null, 2)}\n`, {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${name}.json"`,
        'cache-control': 'no-store',
      },
    });
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'not_found') throw error;
    return new Response('There is no such dashboard.\n', { status: 404 });
  }
}
