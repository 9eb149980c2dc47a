import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { serializeUser } from '#app/api/0/serializers/serialize-user.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';

/** Who calls, and with which rights; what sentry-cli asks first. */
export const rootEndpoint: ApiEndpoint<unknown> = async ({ caller }) => {
  const { accounts } = getServices().stores;
  const user = caller.userId === null ? null : await accounts.findUser(caller.userId);
  return {
    body: {
      version: '0',
      auth: { scopes: SCOPES.filter((scope) => caller.contexts.some((ctx) => hasRight(ctx.actor, scope))) },
      user: user && serializeUser(user),
    },
  };
};
