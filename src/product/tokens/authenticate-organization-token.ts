import { hashSecret } from '#product/accounts/one-time-secret.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';

/** The context of an organization's token; null when it is unknown, expired or revoked. What its text says is not believed. */
export async function findOrganizationTokenContext(
  { stores, now, publicUrl }: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  token: string,
): Promise<Context | null> {
  const record = await stores.organizationTokens.find(hashSecret(token), now());
  if (!record) return null;
  const organizations = await stores.projects.listOrganizations();
  const organization = organizations.find(({ id }) => id === record.organizationId);
  if (!organization) return null;
  return {
    stores,
    organization,
    actor: {
      kind: 'organization_token',
      tokenId: record.id,
      name: `Organization token ${record.name}`,
      scopes: record.scopes,
    },
    now,
    publicUrl,
  };
}
