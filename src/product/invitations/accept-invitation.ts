import type { User } from '#domain/people.ts';
import type { Organization } from '#domain/projects.ts';
import { conflict, invalid } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import { checkPassword } from '#product/accounts/check-password.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';
import type { WebServices } from '#product/stores.ts';
import type { Session } from '#storage/ports/authenticator.ts';
import type { Invitation } from './invitation-store.ts';

const NAME_CHARACTERS_MAX = 100;

type Accepting = Pick<Services, 'stores' | 'now' | 'publicUrl'>;

/** A signed-in user joins. Throws Invalid when the address opens no more, Conflict for a member. */
export async function acceptInvitation(
  services: Accepting,
  input: { token: string; session: Session; ipAddress: string | null },
): Promise<Organization> {
  const open = await requireOpen(services, input.token);
  const { userId, name, email, isInstanceOwner } = input.session;
  await join(services, input, open, async () => ({ id: userId, name, email, isInstanceOwner }));
  return open.organization;
}

/** Creates an account for the invited address. Throws Invalid naming the field, Conflict when one exists. */
export async function joinWithNewAccount(
  services: Accepting,
  input: { token: string; name: string; password: string; ipAddress: string | null },
): Promise<{ organization: Organization; user: User }> {
  const name = input.name.trim();
  if (name === '') throw invalid('Enter your name', 'name');
  if (name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name)) {
    throw invalid(`Use a name of at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  const open = await requireOpen(services, input.token);
  const { organization, invitation } = open;
  const { email } = invitation;
  await checkPassword(input.password, [email, name, organization.name, organization.slug]);
  const user = await join(services, input, open, ({ authenticator }) =>
    // Whoever invited has the link as well, so it proves nothing about the address.
    authenticator.createUser({
      email,
      name,
      password: input.password,
      isEmailTrusted: false,
    }),
  );
  return { organization: open.organization, user };
}

/** The user is made, the invitation used and the entry written together, or none of it. */
async function join(
  services: Accepting,
  input: { token: string; ipAddress: string | null },
  { organization, invitation }: OpenInvitation,
  findUser: (stores: WebServices) => Promise<User>,
): Promise<User> {
  const { now, publicUrl } = services;
  return services.stores.inTransaction(async (stores) => {
    const joining = await findUser(stores);
    const isMember = await stores.accounts.findRole(organization.id, joining.id);
    if (isMember) throw conflict(`You are already a member of ${organization.name}: open it`);
    const accepted = await stores.invitations.accept(hashSecret(input.token), joining.id, now());
    if (!accepted) throw opensNoMore();
    const ctx: Context = {
      stores,
      organization,
      actor: {
        kind: 'user',
        userId: joining.id,
        name: joining.name,
        role: accepted.role,
        isInstanceOwner: joining.isInstanceOwner,
      },
      now,
      publicUrl,
      ipAddress: input.ipAddress,
    };
    await audited(
      ctx,
      async () => accepted,
      () => ({
        action: 'member.accept-invite',
        target: { kind: 'invitation', id: invitation.id, name: invitation.email },
        data: { role: accepted.role, email: joining.email },
      }),
    );
    return joining;
  });
}

async function requireOpen(services: Accepting, token: string): Promise<OpenInvitation> {
  const open = await openInvitation(services, token);
  if (!open) throw opensNoMore();
  return open;
}

const opensNoMore = () =>
  invalid('This invitation was used, revoked or is older than a week: ask for a new one', 'token');

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
