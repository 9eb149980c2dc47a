import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { getServices } from '#product/services.ts';
import { listProjects } from '#product/visible-projects.ts';
import { followChanges, LIVE_RETRY_SECONDS, refuseLive } from '../../../live/follow-changes.ts';

export const dynamic = 'force-dynamic';

/** Server-sent events: `change` with the ids of the projects in which something changed. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const services = getServices();
  try {
    const { accounts, authenticator } = services.stores;
    const session = await authenticator.findSession(request.headers);
    if (!session) return refuse(401, 'Sign in first');
    const ctx = await resolveUserContext(services, (await params).org, session);
    const projects = await listProjects(ctx);
    const followed = followChanges(services.stores.changes, {
      userId: session.userId,
      organizationId: ctx.organization.id,
      projectIds: new Set(projects.map((project) => project.id)),
      signal: request.signal,
      isAllowed: async () => {
        const [isOpen, access] = await Promise.all([
          authenticator.sessions.isOpen(session.sessionId),
          accounts.findAccess(ctx.organization.id, session.userId),
        ]);
        return isOpen && access !== null;
      },
    });
    if ('busy' in followed) return refuseLive(followed);
    return new Response(followed, {
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
  const isTemporary = status === 429 || status === 503;
  return Response.json(
    { detail },
    { status, headers: isTemporary ? { 'retry-after': String(LIVE_RETRY_SECONDS) } : {} },
  );
}
