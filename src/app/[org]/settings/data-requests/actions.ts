'use server';

import { z } from 'zod';
import { action, formAction, leaveTo } from '#app/forms/action.ts';
import {
  cancelDataRequest,
  eraseData,
  exportData,
  requestData,
} from '#product/data-requests/data-requests.ts';
import { USER_KINDS } from '#storage/ports/user-activity.ts';
import { REQUEST_FIELDS } from './request-fields.ts';

const ID = z.number().int().positive();

/** Leads to the new request, which shows what is found. */
export const requestDataAction = formAction({
  fields: REQUEST_FIELDS,
  place: z.null(),
  save: async (ctx, input) => {
    const identifiers = USER_KINDS.flatMap((kind) =>
      input[kind].split('\n').map((value) => ({ kind, value })),
    );
    const { id } = await requestData(ctx, { identifiers });
    leaveTo(ctx, `/${ctx.organization.slug}/settings/data-requests/${id}`);
  },
});

export const exportDataAction = action({ input: ID, run: exportData });

export const cancelDataRequestAction = action({ input: ID, run: cancelDataRequest });

const erase = action({
  input: z.strictObject({ requestId: ID, confirmation: z.string().max(100) }),
  run: eraseData,
});

/** `confirmation` is what the person typed. */
export async function eraseDataAction(orgSlug: string, requestId: number, confirmation: string) {
  return erase(orgSlug, { requestId, confirmation });
}
