'use server';

import { z } from 'zod';
import { action, formAction } from '#app/forms/action.ts';
import { createProjectKey, setProjectKeyActive, updateProjectKey } from '#product/projects/client-keys.ts';
import { KEY_FIELDS, KEY_RATE_LIMIT_FIELDS } from './key-fields.ts';

const SLUG = z.string().max(100);
const ID = z.number().int().positive();

export const createKeyAction = formAction({
  fields: KEY_FIELDS,
  place: z.strictObject({ projectSlug: SLUG }),
  save: async (ctx, { label }, { projectSlug }) => {
    await createProjectKey(ctx, { projectSlug, label });
    return null;
  },
});

export const saveKeyRateLimitAction = formAction({
  fields: KEY_RATE_LIMIT_FIELDS,
  place: z.strictObject({ projectSlug: SLUG, key: ID }),
  save: async (ctx, { count, window }, place) => {
    const rateLimit = count === null ? null : { count, windowSeconds: Number(window) };
    await updateProjectKey(ctx, { ...place, change: { rateLimit } });
    return null;
  },
});

export const setKeyActiveAction = action({
  input: z.strictObject({ projectSlug: SLUG, keyId: ID, isActive: z.boolean() }),
  run: setProjectKeyActive,
});
