import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { each, shapeOf, TRUE } from '#app/api/0/shape.ts';
import { SCOPE } from '#app/api/0/shapes/parts.ts';
import type { User } from '#domain/people.ts';
import { forbidden } from '#lib/errors.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';

/** Somebody with an account. Source of the fields: the `user` of `GET /api/0/`. */
export const [USER, serializeUser] = shapeOf<User>()(
  {
    ...each(z.string(), 'id', 'name'),
    username: [z.string(), 'email'],
    email: z.string(),
    isActive: TRUE,
    isSuperuser: [z.boolean(), 'isInstanceOwner'],
  },
  'User',
);

export const accountOperations: readonly Operation[] = [
  /** Who calls, and with which rights; what sentry-cli asks first. */
  get('', {
    summary: 'Retrieves the caller and its scopes',
    scopes: [],
    answer: z.object({
      version: z.string(),
      auth: z.object({
        scopes: z.array(SCOPE),
      }),
      user: USER.nullable(),
    }),
    async handle({ caller }) {
      const { accounts } = getServices().stores;
      const user = caller.userId === null ? null : await accounts.findUser(caller.userId);
      return {
        version: '0',
        auth: { scopes: SCOPES.filter((scope) => caller.contexts.some((ctx) => hasRight(ctx.actor, scope))) },
        user: user && serializeUser(user),
      };
    },
  }),

  /** The user of the token. Source: what Sentry's MCP server asks who it works for. */
  get('auth', {
    summary: "Retrieves the token's user",
    scopes: [],
    answer: USER,
    async handle({ caller }) {
      const user =
        caller.userId === null ? null : await getServices().stores.accounts.findUser(caller.userId);
      if (!user) throw forbidden('An organization token has no user: use a personal token');
      return serializeUser(user);
    },
  }),
];
