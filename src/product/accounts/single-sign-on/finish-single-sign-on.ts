import { openInvitation } from '#product/invitations/open-invitation.ts';
import type { Services } from '#product/services.ts';
import type { User } from '#storage/ports/accounts.ts';
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
  | 'taken';

export type SingleSignOnOutcome =
  | ({ kind: 'signed_in'; next: string } & SignInResult)
  | { kind: 'linked'; next: string; cookies: readonly string[] }
  | { kind: 'refused'; reason: SingleSignOnRefusal };

const refused = (reason: SingleSignOnRefusal) => ({ kind: 'refused', reason }) as const;

/**
 * Signs in whom the identity provider vouches for: by an identity that was connected before, else by an address that
 * the provider has verified, else as a new account where the operator allows it or an invitation led here. With a session that asked for it, the
 * identity is connected instead. Throws Unavailable when the provider does not answer, RateLimited.
 */
export async function finishSingleSignOn(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  input: { query: URLSearchParams; headers: Headers; session: Session | null },
): Promise<SingleSignOnOutcome> {
  const { accounts, authenticator } = stores;
  const { singleSignOn } = authenticator;
  const answer = await singleSignOn?.finish(input);
  if (!singleSignOn || !answer) return refused('failed');
  const { claims, next, linkUserId, cookies } = answer;
  if (!isAllowed(claims, singleSignOn)) return refused(claims.isEmailVerified ? 'domain' : 'unverified');
  const identity = { issuer: claims.issuer, subject: claims.subject };
  const known = await accounts.findUserByIdentity(identity);

  if (linkUserId !== null) {
    // The button was pressed by somebody who may have signed out since.
    if (input.session?.userId !== linkUserId) return refused('failed');
    if (known && known.id !== linkUserId) return refused('taken');
    await accounts.linkIdentity(linkUserId, identity);
    return { kind: 'linked', next, cookies };
  }
  const user = known ?? (await findOrCreateUser({ stores, now }, claims, singleSignOn.autoJoin, next));
  if (typeof user === 'string') return refused(user);
  if (!known) await accounts.linkIdentity(user.id, identity);
  const opened = await authenticator.openSession({ userId: user.id, headers: input.headers });
  return { ...opened, kind: 'signed_in', next, cookies: [...cookies, ...opened.cookies] };
}

/** With a list of domains only a verified address counts: another could name any domain. */
function isAllowed(claims: SingleSignOnClaims, { allowedDomains }: SingleSignOn): boolean {
  if (allowedDomains.length === 0) return true;
  const domain = claims.email?.split('@').at(-1) ?? '';
  return claims.isEmailVerified && allowedDomains.includes(domain);
}

async function findOrCreateUser(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  { email, isEmailVerified, name: givenName }: SingleSignOnClaims,
  autoJoin: SingleSignOn['autoJoin'],
  next: string,
): Promise<User | SingleSignOnRefusal> {
  if (email === null || !isEmailVerified) return 'unverified';
  const { accounts, authenticator, projects } = stores;
  const existing = await accounts.findUserByEmail(email);
  if (existing) {
    const profile = await accounts.findProfile(existing.id);
    return profile?.isEmailTrusted ? existing : 'untrusted';
  }
  const name = givenName ?? email.split('@')[0] ?? email;
  const organization = autoJoin && (await projects.findOrganization(autoJoin.organizationSlug));
  if (organization) {
    const user = await authenticator.createUser({ email, name, password: null });
    await accounts.addMembership({ organizationId: organization.id, userId: user.id, role: autoJoin.role });
    return user;
  }
  // Who comes from an invitation goes back to it, and accepts it there.
  const token = INVITATION_PATH.exec(next)?.[1];
  const invited = token ? await openInvitation({ stores, now }, token) : null;
  if (invited?.invitation.email !== email) return 'unknown';
  return authenticator.createUser({ email, name, password: null });
}

const INVITATION_PATH = /^\/invite\/([\w-]{1,100})$/;
