import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { listProjects } from '#product/projects/list-projects.ts';
import { getServices } from '#product/services.ts';
import { followChanges } from '../../../live/follow-changes.ts';

export const dynamic = 'force-dynamic';

/** Server-sent events: `change` with the ids of the projects in which something changed. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const services = getServices();
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return refuse(401, 'Sign in first');
    const ctx = await resolveUserContext(services, (await params).org, session);
    const projects = await listProjects(ctx);
    const stream = followChanges(services.stores.changes, {
      organizationId: ctx.organization.id,
      projectIds: new Set(projects.map((project) => project.id)),
      signal: request.signal,
    });
    if (!stream) return refuse(503, 'Too many live connections: the page can be reloaded by hand');
    return new Response(stream, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // no-transform keeps compression from holding events back.
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  } catch (error) {
    if (isErrataError(error)) return refuse(httpStatus(error.code), error.message);
    throw error;
  }
}

function refuse(status: number, detail: string): Response {
  return Response.json({ detail }, { status, headers: status === 503 ? { 'retry-after': '5' } : {} });
}
