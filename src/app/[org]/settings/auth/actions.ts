'use server';

import { z } from 'zod';
import { action } from '#app/forms/action.ts';
import { setTwoFactorRequired } from '#product/accounts/auth-policy.ts';

export const requireTwoFactorAction = action({ input: z.boolean(), run: setTwoFactorRequired });
