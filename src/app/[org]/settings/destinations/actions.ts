'use server';

import { z } from 'zod';
import { action, answeringFormAction, leaveTo } from '#app/forms/action.ts';
import { DESTINATION_KINDS } from '#product/destinations/destination-kinds.ts';
import {
  addDestination,
  removeDestination,
  type SavedDestination,
  updateDestination,
} from '#product/destinations/destinations.ts';
import { destinationFields } from './destination-fields.ts';

const KIND = z.enum(DESTINATION_KINDS);
const ID = z.number().int().positive();

/** The secret that was generated because none was entered, shown once; null otherwise. */
const saved = ({ destination, generatedSecret }: SavedDestination) => ({
  destinationId: destination.id,
  generatedSecret,
});

/** Adds a destination and leads to its page, unless there is a secret to copy first. */
export const addDestinationAction = answeringFormAction({
  fields: destinationFields,
  place: z.strictObject({ kind: KIND }),
  save: async (ctx, { name = '', ...fields }, { kind }) => {
    const result = saved(await addDestination(ctx, { kind, name, fields }));
    if (result.generatedSecret !== null) return result;
    leaveTo(ctx, `/${ctx.organization.slug}/settings/destinations/${result.destinationId}`);
  },
});

export const updateDestinationAction = answeringFormAction({
  fields: destinationFields,
  place: z.strictObject({ kind: KIND, destinationId: ID }),
  save: async (ctx, { name = '', ...fields }, { destinationId }) =>
    saved(await updateDestination(ctx, { destinationId, name, fields })),
});

export const removeDestinationAction = action({
  input: ID,
  run: removeDestination,
  // The page of the destination is left next: only then is it gone.
  revalidates: '/settings/destinations',
});
