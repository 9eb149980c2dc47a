'use server';

import { z } from 'zod';
import { action, formAction, leaveTo } from '#app/forms/action.ts';
import { deleteOrganization, updateOrganization } from '#product/organizations/organizations.ts';
import { ORGANIZATION_FIELDS } from './organization-fields.ts';

export const saveOrganizationAction = formAction({
  fields: ORGANIZATION_FIELDS,
  place: z.null(),
  save: async (ctx, input) => {
    const { slug } = await updateOrganization(ctx, input);
    if (slug !== ctx.organization.slug) leaveTo(ctx, `/${slug}/settings`);
    return null;
  },
});

/** `input` is the slug, typed once more. Leads to the start page. */
export const deleteOrganizationAction = action({
  input: z.string().max(100),
  run: async (ctx, confirmation) => {
    await deleteOrganization(ctx, { confirmation });
    leaveTo(ctx, '/');
  },
});
