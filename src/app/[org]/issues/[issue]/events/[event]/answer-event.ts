import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { findIssueEvent } from '#product/issues/get-issue-event.ts';
import { getServices } from '#product/services.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { Issue } from '#storage/ports/issues.ts';

export type EventParams = { org: string; issue: string; event: string };
export type AskedEvent = { ctx: Context; issue: Issue; event: StoredEvent; query: URLSearchParams };

/** What an event says is a document of its own that may run nothing and load nothing. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

export const textOf = (text: string): Response =>
  new Response(text, { headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' } });

export const jsonOf = (json: string): Response =>
  new Response(json, { headers: { ...HEADERS, 'content-type': 'application/json; charset=utf-8' } });

/** Answers a request about an event of an issue for whoever is signed in and may read it. */
export async function answerEvent(
  request: Request,
  params: Promise<EventParams>,
  answer: (asked: AskedEvent) => Response | Promise<Response>,
): Promise<Response> {
  const services = getServices();
  const { org, issue: reference, event: which } = await params;
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return refuse(401, 'Sign in first');
    const ctx = await resolveUserContext(services, org, session);
    const issue = await getIssue(ctx, reference);
    const event = await findIssueEvent(ctx, issue, which);
    if (!event) {
      return refuse(404, `Issue ${issue.shortId} has no event "${which.slice(0, WHICH_CHARACTERS_SHOWN)}"`);
    }
    return await answer({ ctx, issue, event, query: new URL(request.url).searchParams });
  } catch (error) {
    if (isErrataError(error)) return refuse(httpStatus(error.code), error.message);
    throw error;
  }
}

const WHICH_CHARACTERS_SHOWN = 40;

export function refuse(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}
