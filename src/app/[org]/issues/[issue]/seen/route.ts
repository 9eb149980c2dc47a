import { isSameOrigin } from '#app/same-origin.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { markIssues } from '#product/issue-marks/mark-issues.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { getServices } from '#product/services.ts';

/** The page of the issue says that it is before its reader. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ org: string; issue: string }> },
): Promise<Response> {
  if (!isSameOrigin(request)) return Response.json({ detail: 'Sent by another site' }, { status: 403 });
  const services = getServices();
  const { org, issue: reference } = await params;
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return Response.json({ detail: 'Sign in first' }, { status: 401 });
    const ctx = await resolveUserContext(services, org, session);
    const issue = await getIssue(ctx, reference);
    await markIssues(ctx, { issueIds: [issue.id], change: { hasSeen: true } });
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return Response.json({ detail: error.message }, { status: httpStatus(error.code) });
  }
}
