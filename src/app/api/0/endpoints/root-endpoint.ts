import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { SCOPE } from '#app/api/0/schemas/parts.ts';
import { USER } from '#app/api/0/schemas/user.ts';
import { serializeUser } from '#app/api/0/serializers/serialize-user.ts';
import { forbidden } from '#lib/errors.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';

const ROOT = {
  summary: 'Tells who asks, with which scopes',
  scopes: [],
  answer: z.object({
    version: z.string(),
    auth: z.object({
      scopes: z.array(SCOPE),
    }),
    user: USER.nullable(),
  }),
} satisfies Operation;

/** Who calls, and with which rights; what sentry-cli asks first. */
export const rootEndpoint = declare<unknown>(ROOT, async ({ caller }) => {
  const { accounts } = getServices().stores;
  const user = caller.userId === null ? null : await accounts.findUser(caller.userId);
  return {
    body: {
      version: '0',
      auth: { scopes: SCOPES.filter((scope) => caller.contexts.some((ctx) => hasRight(ctx.actor, scope))) },
      user: user && serializeUser(user),
    },
  };
});

const AUTH = {
  summary: 'Answers the user of the token',
  scopes: [],
  answer: USER,
} satisfies Operation;

/** The user whom the token belongs to. Source: what Sentry's MCP server asks who it works for. */
export const authEndpoint = declare<unknown>(AUTH, async ({ caller }) => {
  const user = caller.userId === null ? null : await getServices().stores.accounts.findUser(caller.userId);
  if (!user) throw forbidden('A token of an organization is nobody’s: use a personal token');
  return { body: serializeUser(user) };
});
