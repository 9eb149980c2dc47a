import { hashSecret } from '#product/accounts/one-time-secret.ts';
import type { Services } from '#product/services.ts';
import type { Invitation } from '#storage/ports/invitations.ts';
import type { Organization } from '#storage/ports/projects.ts';

export type OpenInvitation = {
  invitation: Invitation;
  organization: Organization;
  /** Whether somebody has an account with the invited address. */
  hasAccount: boolean;
};

/** What the address of an invitation shows; null when it opens no more. Does not use it up. */
export async function openInvitation(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  token: string,
): Promise<OpenInvitation | null> {
  const invitation = await stores.invitations.find(hashSecret(token), now());
  if (!invitation) return null;
  const [organizations, user] = await Promise.all([
    stores.projects.listOrganizations(),
    stores.accounts.findUserByEmail(invitation.email),
  ]);
  const organization = organizations.find(({ id }) => id === invitation.organizationId);
  return organization ? { invitation, organization, hasAccount: user !== null } : null;
}
