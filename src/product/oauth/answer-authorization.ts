import { forbidden } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { createOneTimeSecret, hashSecret } from '#product/accounts/one-time-secret.ts';
import { notifyOwner, type Self } from '#product/accounts/own-account/self.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { expandScopes } from '#protocol/scopes.ts';
import { READ_SCOPES } from './oauth-scopes.ts';
import { type Authorization, redirectWith } from './read-authorization.ts';

const CODE_MS = MINUTE_MS;

/**
 * The person allows what the program asked for, in the organization of the context; with `readsOnly` nothing that changes
 * something. Answers the address that leads back to the program. Throws Forbidden for whoever is no person.
 */
export async function approveAuthorization(
  ctx: Context,
  authorization: Authorization,
  { readsOnly }: { readsOnly: boolean },
): Promise<string> {
  requireRight(ctx, 'event:read');
  const { actor, organization, publicUrl } = ctx;
  if (actor.kind !== 'user') throw forbidden('Only a signed-in person can allow a program something');
  const { client, redirectUri, challenge, state } = authorization;
  const asked = expandScopes(authorization.scopes);
  const scopes = readsOnly ? READ_SCOPES.filter((scope) => asked.has(scope)) : authorization.scopes;
  const code = createOneTimeSecret();
  const now = ctx.now();
  await audited(
    ctx,
    (ctx) =>
      ctx.stores.oauth.addGrant({
        clientId: client.id,
        userId: actor.userId,
        organizationId: organization.id,
        scopes,
        codeHash: hashSecret(code),
        code: { challenge, redirectUri },
        codeExpiresAt: now + CODE_MS,
        createdAt: now,
      }),
    (id) => ({
      action: 'oauth-grant.create',
      target: { kind: 'oauth_grant', id, name: client.name },
      data: { scopes },
    }),
  );
  return redirectWith({ redirectUri, state, publicUrl }, { code });
}

/** As `approveAuthorization`, and the person is told by mail. */
export async function connectProgram(
  self: Pick<Self, 'mailer' | 'publicUrl' | 'session'>,
  ctx: Context,
  authorization: Authorization,
  choice: { readsOnly: boolean },
): Promise<string> {
  const redirectTo = await approveAuthorization(ctx, authorization, choice);
  notifyOwner(self, self.session.email, `The program “${authorization.client.name}” was connected`);
  return redirectTo;
}

/** The address that leads back to the program, which is told that the person said no. */
export const denyAuthorization = (
  { redirectUri, state }: Pick<Authorization, 'redirectUri' | 'state'>,
  publicUrl: string,
): string =>
  redirectWith(
    { redirectUri, state, publicUrl },
    { error: 'access_denied', error_description: 'The person said no' },
  );
