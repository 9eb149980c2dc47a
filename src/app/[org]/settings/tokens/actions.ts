'use server';

import { z } from 'zod';
import { action, formAction } from '#app/forms/action.ts';
import { tokenDays } from '#app/token-days.ts';
import {
  createOrganizationToken,
  revokeAllOrganizationTokens,
  revokeOrganizationToken,
  tokenExpiry,
} from '#product/tokens/organization-tokens.ts';
import { TOKEN_FIELDS } from './token-fields.ts';

/** The result is shown once. */
export const createTokenAction = formAction({
  fields: TOKEN_FIELDS,
  place: z.null(),
  save: async (ctx, { name, ...expiry }) => {
    const expiresAt = tokenExpiry(tokenDays(expiry), ctx.now());
    const { record, token } = await createOrganizationToken(ctx, { name, expiresAt });
    return { name: record.name, token };
  },
});

export const revokeTokenAction = action({
  input: z.number().int().positive(),
  run: (ctx, tokenId) => revokeOrganizationToken(ctx, { tokenId }),
});

export const revokeAllTokensAction = action({ input: z.null(), run: revokeAllOrganizationTokens });
