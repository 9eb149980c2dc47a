import { refuse, withSession } from '#app/with-session.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { findIssueEvent } from '#product/issues/issue-events.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

export type EventParams = { org: string; issue: string; event: string };
type RequestedEvent<Params> = {
  ctx: Context;
  issue: Issue;
  event: StoredEvent;
  params: Params;
  query: URLSearchParams;
};

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

/** A route about an event of an issue, for whoever may read it. */
export const withEvent = <Params extends EventParams>(
  answer: (requested: RequestedEvent<Params>) => Response | Promise<Response>,
) =>
  withSession<Params>(async ({ ctx, params, request }) => {
    const issue = await getIssue(ctx, params.issue);
    const event = await findIssueEvent(ctx, issue, params.event);
    if (!event) {
      const named = params.event.slice(0, EVENT_CHARACTERS_SHOWN);
      return refuse(404, `Issue ${issue.shortId} has no event "${named}"`);
    }
    return answer({ ctx, issue, event, params, query: new URL(request.url).searchParams });
  });

const EVENT_CHARACTERS_SHOWN = 40;
