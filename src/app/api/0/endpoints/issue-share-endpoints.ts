import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { getSharing, SHARE_DAYS_DEFAULT, shareIssue, stopSharing } from '#product/sharing/sharing.ts';
import { findIssue, type IssueParams } from './find-issue.ts';

const SHARE = z.strictObject({ days: z.number().int().default(SHARE_DAYS_DEFAULT) });

const GET_SHARE = {
  summary: 'Tells whether an issue has a public page',
  scopes: ['event:read'],
  answer: z.object({ isAllowed: z.boolean(), isPublic: z.boolean(), dateExpires: z.string().nullable() }),
} satisfies Operation;

/** Whether an issue has a public page. Not in the reference, which has `isPublic` on the issue itself. */
export const getShareEndpoint = declare<IssueParams>(GET_SHARE, async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const { isAllowed, share } = await getSharing(ctx, issue);
  return {
    body: {
      isAllowed,
      isPublic: share !== null,
      dateExpires: share && new Date(share.expiresAt).toISOString(),
    },
  };
});

const SHARE_ISSUE = {
  summary: 'Gives an issue a public page',
  scopes: ['event:write'],
  body: SHARE,
  answer: z.object({ shareId: z.string(), url: z.string(), dateExpires: z.string() }),
  status: 201,
} satisfies Operation;

/** Makes a public page; its address is answered this once. */
export const shareIssueEndpoint = declare<IssueParams>(SHARE_ISSUE, async ({ caller, params, request }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const { share, token, url } = await shareIssue(ctx, issue, await readJsonBody(request, SHARE));
  return {
    body: { shareId: token, url, dateExpires: new Date(share.expiresAt).toISOString() },
    status: 201,
  };
});

const STOP_SHARING = {
  summary: 'Takes the public page of an issue away',
  scopes: ['event:write'],
  answer: null,
} satisfies Operation;

export const stopSharingEndpoint = declare<IssueParams>(STOP_SHARING, async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  await stopSharing(ctx, issue);
  return { body: null, status: 204 };
});
