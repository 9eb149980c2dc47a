import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { notFound } from '#lib/errors.ts';
import type { IssueLink } from '#product/issue-links/issue-link-store.ts';
import { addLink, listLinks, removeLink } from '#product/issue-links/issue-links.ts';
import { findIssue, type IssueParams } from './find-issue.ts';

const LINK = z.object({ url: z.string().max(10_000), title: z.string().max(10_000).optional() });

const LIST_LINKS = {
  summary: 'Lists issues of other trackers that belong to an issue',
  scopes: ['event:read'],
  answer: z.array(
    z.object({
      id: z.string(),
      issueId: z.string(),
      serviceType: z.string(),
      displayName: z.string(),
      webUrl: z.string(),
    }),
  ),
} satisfies Operation;

/** Source of the fields: https://docs.sentry.io/api/integration/retrieve-custom-integration-issue-links-for-the-given-sentry-issue/ */
export const listLinksEndpoint = declare<IssueParams>(LIST_LINKS, async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  return { body: (await listLinks(ctx, issue)).map(serializeLink) };
});

const ADD_LINK = {
  summary: 'Links an issue of another tracker',
  scopes: ['event:write'],
  body: LINK,
  answer: z.object({
    id: z.string(),
    issueId: z.string(),
    serviceType: z.string(),
    displayName: z.string(),
    webUrl: z.string(),
  }),
  status: 201,
} satisfies Operation;

/** Links the issue to one of another system, by its address. */
export const addLinkEndpoint = declare<IssueParams>(ADD_LINK, async ({ caller, params, request }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const link = await addLink(ctx, issue, await readJsonBody(request, LINK));
  return { body: serializeLink(link), status: 201 };
});

const REMOVE_LINK = {
  summary: 'Removes a link',
  scopes: ['event:write'],
  answer: null,
} satisfies Operation;

export const removeLinkEndpoint = declare<IssueParams & { link: string }>(
  REMOVE_LINK,
  async ({ caller, params }) => {
    const { ctx, issue } = await findIssue(caller, params);
    if (!/^\d{1,15}$/.test(params.link)) throw notFound(`The issue ${issue.shortId} has no such link`);
    await removeLink(ctx, issue, Number(params.link));
    return { body: null, status: 204 };
  },
);

const serializeLink = (link: IssueLink) => ({
  id: String(link.id),
  issueId: String(link.issueId),
  serviceType: new URL(link.url).host,
  displayName: link.title,
  webUrl: link.url,
});
