import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import type { Context } from '#product/context.ts';
import { getServices } from '#product/services.ts';
import { isSameOrigin } from './same-origin.ts';

type SessionRequest<Params> = { ctx: Context; params: Params; request: Request };

/**
 * A route that pages call for the signed-in member of the organization in its address. Answers 403 when another site
 * wants to change something, 401 without a session, and what a verb refuses as `{ detail }` with the status of its code.
 */
export function withSession<Params extends { org: string }>(
  answer: (asked: SessionRequest<Params>) => Response | Promise<Response>,
) {
  return async (request: Request, { params }: { params: Promise<Params> }): Promise<Response> => {
    const services = getServices();
    if (!READS.has(request.method) && !isSameOrigin(request, services.publicUrl)) {
      return refuse(403, 'Cross-site requests are not allowed');
    }
    try {
      const session = await services.stores.authenticator.findSession(request.headers);
      if (!session) return refuse(401, 'Sign in first');
      const named = await params;
      const ctx = await resolveUserContext(services, named.org, session);
      return await answer({ ctx, params: named, request });
    } catch (error) {
      if (isErrataError(error)) return refuse(httpStatus(error.code), error.message);
      throw error;
    }
  };
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export const refuse = (status: number, detail: string): Response => Response.json({ detail }, { status });

/** For one person, at this moment. */
export const privateJson = (value: unknown): Response =>
  Response.json(value, { headers: { 'cache-control': 'private, no-store' } });
