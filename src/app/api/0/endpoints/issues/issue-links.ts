import { z } from 'zod';
import { del, get, type Operation, post } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { idOf, shapeOf } from '#app/api/0/shape.ts';
import type { IssueLink } from '#product/issue-links/issue-link-store.ts';
import { addLink, listLinks, removeLink } from '#product/issue-links/issue-links.ts';

const LINK = z.object({ url: z.string().max(10_000), title: z.string().max(10_000).optional() });

const [ISSUE_LINK, serializeLink] = shapeOf<IssueLink>()({
  id: idOf('id'),
  issueId: idOf('issueId'),
  serviceType: [z.string(), ({ url }) => new URL(url).host],
  displayName: [z.string(), 'title'],
  webUrl: [z.string(), 'url'],
});

export const issueLinkOperations: readonly Operation[] = [
  /** Source of the fields: https://docs.sentry.io/api/integration/retrieve-custom-integration-issue-links-for-the-given-sentry-issue/ */
  get(['issues/[issue]/external-issues', 'organizations/[org]/issues/[issue]/external-issues'], {
    summary: 'Lists the external issues linked to an issue',
    scopes: ['event:read'],
    answer: z.array(ISSUE_LINK),
    handle: async ({ ctx, issue }) => (await listLinks(ctx, issue)).map(serializeLink),
  }),

  /** Links the issue to one of another system, by its address. */
  post(['issues/[issue]/external-issues', 'organizations/[org]/issues/[issue]/external-issues'], {
    summary: 'Links an external issue',
    scopes: ['event:write'],
    body: LINK,
    answer: ISSUE_LINK,
    status: 201,
    handle: async ({ ctx, issue, body }) => serializeLink(await addLink(ctx, issue, body)),
  }),

  del(
    ['issues/[issue]/external-issues/[link]', 'organizations/[org]/issues/[issue]/external-issues/[link]'],
    {
      summary: 'Removes a link',
      scopes: ['event:write'],
      answer: null,
      async handle({ ctx, issue, params }) {
        const linkId = readPathNumber(params.link, `Issue ${issue.shortId} has no such link`);
        await removeLink(ctx, issue, linkId);
      },
    },
  ),
];
