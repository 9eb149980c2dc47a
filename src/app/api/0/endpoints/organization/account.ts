import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { SCOPE } from '#app/api/0/shapes/parts.ts';
import type { User } from '#domain/people.ts';
import { forbidden } from '#lib/errors.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';

/** Somebody with an account. */
export const USER = z
  .object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    email: z.string(),
    isActive: z.boolean(),
    isSuperuser: z.boolean(),
  })
  .meta({ id: 'User' });

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

  /** The user whom the token belongs to. Source: what Sentry's MCP server asks who it works for. */
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

/** Source of the fields: the `user` of `GET /api/0/`. */
export function serializeUser(user: User) {
  return {
    id: user.id,
    name: user.name,
    username: user.email,
    email: user.email,
    isActive: true,
    isSuperuser: user.isInstanceOwner,
  };
}
