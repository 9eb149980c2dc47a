import { z } from 'zod';
import { del, get, type Operation, post } from '#app/api/0/operation.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { getSharing, SHARE_DAYS_DEFAULT, shareIssue, stopSharing } from '#product/sharing/sharing.ts';

const SHARE = z.strictObject({ days: z.number().int().default(SHARE_DAYS_DEFAULT) });

export const issueSharingOperations: readonly Operation[] = [
  /** Whether an issue has a public page. Not in the reference, which has `isPublic` on the issue itself. */
  get(['issues/[issue]/share', 'organizations/[org]/issues/[issue]/share'], {
    summary: 'Retrieves whether an issue is shared publicly',
    scopes: ['event:read'],
    answer: z.object({ isAllowed: z.boolean(), isPublic: z.boolean(), dateExpires: z.string().nullable() }),
    async handle({ ctx, issue }) {
      const { isAllowed, share } = await getSharing(ctx, issue);
      return {
        isAllowed,
        isPublic: share !== null,
        dateExpires: share && isoOfMs(share.expiresAt),
      };
    },
  }),

  /** Makes a public page; its address is answered this once. */
  post(['issues/[issue]/share', 'organizations/[org]/issues/[issue]/share'], {
    summary: 'Shares an issue publicly',
    scopes: ['event:write'],
    body: SHARE,
    answer: z.object({ shareId: z.string(), url: z.string(), dateExpires: z.string() }),
    status: 201,
    async handle({ ctx, issue, body }) {
      const { share, token, url } = await shareIssue(ctx, issue, body);
      return { shareId: token, url, dateExpires: isoOfMs(share.expiresAt) };
    },
  }),

  del(['issues/[issue]/share', 'organizations/[org]/issues/[issue]/share'], {
    summary: 'Stops sharing an issue publicly',
    scopes: ['event:write'],
    answer: null,
    handle: async ({ ctx, issue }) => stopSharing(ctx, issue),
  }),
];
