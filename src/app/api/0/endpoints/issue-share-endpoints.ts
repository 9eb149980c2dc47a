import { z } from 'zod';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { getSharing } from '#product/sharing/get-sharing.ts';
import { SHARE_DAYS_DEFAULT, shareIssue } from '#product/sharing/share-issue.ts';
import { stopSharing } from '#product/sharing/stop-sharing.ts';
import { findIssue, type IssueParams } from './find-issue.ts';

const SHARE = z.strictObject({ days: z.number().int().default(SHARE_DAYS_DEFAULT) });

/** Whether an issue has a public page. Not in the reference, which has `isPublic` on the issue itself. */
export const getShareEndpoint: ApiEndpoint<IssueParams> = async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const { isAllowed, share } = await getSharing(ctx, issue);
  return {
    body: {
      isAllowed,
      isPublic: share !== null,
      dateExpires: share && new Date(share.expiresAt).toISOString(),
    },
  };
};

/** Makes a public page; its address is answered this once. */
export const shareIssueEndpoint: ApiEndpoint<IssueParams> = async ({ caller, params, request }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const { share, token, url } = await shareIssue(ctx, issue, await readJsonBody(request, SHARE));
  return {
    body: { shareId: token, url, dateExpires: new Date(share.expiresAt).toISOString() },
    status: 201,
  };
};

export const stopSharingEndpoint: ApiEndpoint<IssueParams> = async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  await stopSharing(ctx, issue);
  return { body: null, status: 204 };
};
