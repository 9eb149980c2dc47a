import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { findNewestActivityId } from '#product/comments/list-activities.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { getServices } from '#product/services.ts';
import { pulseOf } from '../issue-pulse.ts';

/** The little that a page of an issue asks for when something happened in its project. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ org: string; issue: string }> },
): Promise<Response> {
  const services = getServices();
  const { org, issue: reference } = await params;
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return refuse(401, 'Sign in first');
    const ctx = await resolveUserContext(services, org, session);
    const issue = await getIssue(ctx, reference);
    const pulse = pulseOf(issue, await findNewestActivityId(ctx, issue));
    return Response.json(pulse, { headers: { 'cache-control': 'private, no-store' } });
  } catch (error) {
    if (isErrataError(error)) return refuse(httpStatus(error.code), error.message);
    throw error;
  }
}

function refuse(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}
