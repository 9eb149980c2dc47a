import type { Role, User } from '#domain/people.ts';
import type { Organization } from '#domain/projects.ts';
import { notifyOwner } from '#product/accounts/own-account/self.ts';
import { auditSignInChange } from '#product/audit/audited.ts';
import { openInvitation } from '#product/invitations/accept-invitation.ts';
import type { Services } from '#product/services.ts';
import type {
  Session,
  SignInResult,
  SingleSignOn,
  SingleSignOnClaims,
} from '#storage/ports/authenticator.ts';

/** Why nobody was let in. */
export type SingleSignOnRefusal =
  /** The answer belongs to no sign-in of this browser, is too old, or the provider itself refused. */
  | 'failed'
  /** The address is of a domain that may not sign in this way. */
  | 'domain'
  /** The provider does not vouch for the address, so it proves nothing. */
  | 'unverified'
  /** Nobody here has the address, and nobody was invited with it. */
  | 'unknown'
  /** The account has an address that its user wrote and nobody confirmed. */
  | 'untrusted'
  /** The identity opens another account already. */
  | 'taken'
  /** Another identity of this provider opens the account: it has to be disconnected first. */
  | 'second';

export type SingleSignOnOutcome =
  | ({ kind: 'signed_in'; next: string } & SignInResult)
  | { kind: 'linked'; next: string; cookies: readonly string[] }
  | { kind: 'refused'; reason: SingleSignOnRefusal };

type SignOnServices = Pick<Services, 'stores' | 'now' | 'mailer' | 'publicUrl'>;

const refused = (reason: SingleSignOnRefusal) => ({ kind: 'refused', reason }) as const;

/** Signs in by identity, verified email address or auto-join, or links the identity. Throws Unavailable, RateLimited. */
export async function finishSingleSignOn(
  services: SignOnServices,
  input: { query: URLSearchParams; headers: Headers; session: Session | null; ipAddress: string | null },
): Promise<SingleSignOnOutcome> {
  const { accounts, authenticator } = services.stores;
  const { singleSignOn } = authenticator;
  const answer = await singleSignOn?.finish(input);
  if (!singleSignOn || !answer) return refused('failed');
  const { claims, next, linkUserId, cookies } = answer;
  if (!isAllowed(claims, singleSignOn)) return refused(claims.isEmailVerified ? 'domain' : 'unverified');
  const known = await accounts.findUserByIdentity(claims);

  if (linkUserId !== null) {
    // The button was pressed by somebody who may have signed out since.
    const user = input.session?.userId === linkUserId ? await accounts.findUser(linkUserId) : null;
    if (!user) return refused('failed');
    if (known && known.id !== linkUserId) return refused('taken');
    if (!known) {
      if (await accounts.hasIdentity(linkUserId, claims.issuer)) return refused('second');
      await connect(services, user, claims, input.ipAddress);
      await authenticator.sessions.endOthers(user.id, input.session?.sessionId ?? '');
    }
    return { kind: 'linked', next, cookies };
  }
  const user = known ?? (await findOrCreateUser(services, claims, { singleSignOn, next, ...input }));
  if (typeof user === 'string') return refused(user);
  if (!known) await connect(services, user, claims, input.ipAddress);
  const opened = await authenticator.openSession({ userId: user.id, headers: input.headers });
  return { ...opened, kind: 'signed_in', next, cookies: [...cookies, ...opened.cookies] };
}

async function connect(
  services: SignOnServices,
  user: User,
  { issuer, subject }: SingleSignOnClaims,
  ipAddress: string | null,
): Promise<void> {
  const { authenticator } = services.stores;
  await auditSignInChange(services, {
    action: 'sso-identity.link',
    ipAddress,
    change: async ({ accounts }) => {
      await accounts.linkIdentity(user.id, { issuer, subject });
      return user;
    },
  });
  notifyOwner(services, user.email, `You can now sign in with ${authenticator.singleSignOn?.name}`);
}

/** With a list of domains only a verified address counts: another could name any domain. */
function isAllowed(claims: SingleSignOnClaims, { allowedDomains }: SingleSignOn): boolean {
  if (allowedDomains.length === 0) return true;
  const domain = claims.email?.split('@').at(-1) ?? '';
  return claims.isEmailVerified && allowedDomains.includes(domain);
}

async function findOrCreateUser(
  services: SignOnServices,
  { issuer, email, isEmailVerified, name: givenName }: SingleSignOnClaims,
  { singleSignOn, next, ipAddress }: { singleSignOn: SingleSignOn; next: string; ipAddress: string | null },
): Promise<User | SingleSignOnRefusal> {
  if (email === null || !isEmailVerified) return 'unverified';
  const { stores, now } = services;
  const { accounts, authenticator, projects } = stores;
  const existing = await accounts.findUserByEmail(email);
  if (existing) {
    const profile = await accounts.findProfile(existing.id);
    if (!profile?.isEmailTrusted) return 'untrusted';
    return (await accounts.hasIdentity(existing.id, issuer)) ? 'second' : existing;
  }
  const name = givenName ?? email.split('@')[0] ?? email;
  const { autoJoin } = singleSignOn;
  const organization = autoJoin && (await projects.findOrganization(autoJoin.organizationSlug));
  if (organization) {
    return joinOrganization(services, { organization, role: autoJoin.role, email, name, ipAddress });
  }
  // Who comes from an invitation goes back to it, and accepts it there.
  const token = INVITATION_PATH.exec(next)?.[1];
  const invited = token ? await openInvitation({ stores, now }, token) : null;
  if (invited?.invitation.email !== email) return 'unknown';
  return authenticator.createUser({ email, name, password: null });
}

async function joinOrganization(
  { stores, now }: SignOnServices,
  input: { organization: Organization; role: Role; email: string; name: string; ipAddress: string | null },
): Promise<User> {
  const { organization, role, email, name, ipAddress } = input;
  return stores.inTransaction(async ({ authenticator, accounts, audit }) => {
    const user = await authenticator.createUser({ email, name, password: null });
    await accounts.addMembership({ organizationId: organization.id, userId: user.id, role });
    await audit.record({
      organizationId: organization.id,
      at: now(),
      action: 'member.add',
      actor: { kind: 'user', userId: user.id, name, tokenId: null },
      ipAddress,
      target: { kind: 'user', id: user.id, name: email },
      data: { role },
    });
    return user;
  });
}

const INVITATION_PATH = /^\/invite\/([\w-]{1,100})$/;
