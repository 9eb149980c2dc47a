import { notFound } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import type { Self } from '#product/accounts/own-account/self.ts';
import { listUserOrganizations } from '#product/accounts/resolve-user-context.ts';
import type { Services } from '#product/services.ts';
import type { OauthGrant } from './oauth-store.ts';
import { isClientId } from './register-client.ts';

export type OwnGrant = OauthGrant & {
  /** null after the organization was left: the program reaches nothing. */
  organization: { slug: string; name: string } | null;
};

/** Programs that the person allowed something, in every organization, newest first. */
export async function listOwnGrants({ stores, session, now }: Self): Promise<readonly OwnGrant[]> {
  const [grants, organizations] = await Promise.all([
    stores.oauth.listGrants(session.userId, now()),
    listUserOrganizations({ stores }, session.userId),
  ]);
  const byId = new Map(organizations.map(({ id, slug, name }) => [id, { slug, name }]));
  return grants.map((grant) => ({ ...grant, organization: byId.get(grant.organizationId) ?? null }));
}

/** The program reaches nothing from now on. Throws NotFound. */
export async function endOwnGrant({ stores, session, now, ipAddress }: Self, grantId: number): Promise<void> {
  const grant = (await stores.oauth.listGrants(session.userId, now())).find(({ id }) => id === grantId);
  if (!grant) throw notFound('This application is already disconnected: reload the page');
  await stores.inTransaction(async ({ oauth, audit }) => {
    if (!(await oauth.endGrant(session.userId, grantId))) return;
    await audit.record({
      organizationId: grant.organizationId,
      at: now(),
      action: 'oauth-grant.remove',
      actor: { kind: 'user', userId: session.userId, name: session.name, tokenId: null },
      ipAddress,
      target: { kind: 'oauth_grant', id: String(grant.id), name: grant.clientName },
      data: {},
    });
  });
}

/** A program gives back what it was allowed, by one of its tokens. One that is unknown, or another program's, is left. */
export async function endGrantByToken(
  { stores }: Pick<Services, 'stores'>,
  form: URLSearchParams,
): Promise<void> {
  const clientId = form.get('client_id') ?? '';
  if (isClientId(clientId)) await stores.oauth.endByToken(hashSecret(form.get('token') ?? ''), clientId);
}
