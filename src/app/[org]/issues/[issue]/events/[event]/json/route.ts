import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { getIssueEvent } from '#product/issues/get-issue-event.ts';
import { getServices } from '#product/services.ts';

/** The event as it is stored. A document of its own that may run nothing and load nothing. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

export async function GET(
  request: Request,
  { params }: { params: Promise<{ org: string; issue: string; event: string }> },
): Promise<Response> {
  const services = getServices();
  const { org, issue: reference, event: which } = await params;
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return refuse(401, 'Sign in first');
    const ctx = await resolveUserContext(services, org, session);
    const issue = await getIssue(ctx, reference);
    const found = await getIssueEvent(ctx, issue, which);
    if (!found) return refuse(404, `Issue ${issue.shortId} has no event "${which}"`);
    return new Response(JSON.stringify(found.event.payload, null, 2), { headers: HEADERS });
  } catch (error) {
    if (isErrataError(error)) return refuse(httpStatus(error.code), error.message);
    throw error;
  }
}

function refuse(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}
