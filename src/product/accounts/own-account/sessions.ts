import type { User } from '#domain/people.ts';
import { notFound } from '#lib/errors.ts';
import { parseUserAgent } from '#pipeline/normalize/user-agent.ts';
import type { AuditAction } from '#product/audit/audit-actions.ts';
import type { NewAuditEntry } from '#product/audit/audit-store.ts';
import type { Services } from '#product/services.ts';
import type { WebServices } from '#product/stores.ts';
import type { OpenSession } from '#storage/ports/authenticator.ts';
import type { Self } from './self.ts';

export type NamedSession = Omit<OpenSession, 'userAgent'> & {
  /** `Firefox 140 on Linux`, or the beginning of what it calls itself. */
  device: string;
  isPhone: boolean;
  isCurrent: boolean;
};

const DEVICE_CHARS_MAX = 80;

/** Where the person is signed in, this browser first, then by last use. */
export async function listSessions({ stores, session }: Self): Promise<readonly NamedSession[]> {
  const sessions = await stores.authenticator.sessions.list(session.userId);
  const named = sessions.map(({ userAgent, ...rest }) => ({
    ...rest,
    device: describeDevice(userAgent),
    isPhone: /\b(Mobile|iPhone|Android)\b/.test(userAgent),
    isCurrent: rest.id === session.sessionId,
  }));
  return named.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** `Chrome 141 on Windows`; what is no browser is called as it calls itself. */
export function describeDevice(userAgent: string): string {
  if (userAgent.trim() === '') return 'Unknown device';
  const { browser, os } = parseUserAgent(userAgent);
  const name = browser?.name ? `${browser.name} ${(browser.version ?? '').split('.')[0]}`.trim() : null;
  if (name && os?.name) return `${name} on ${os.name}`;
  return name ?? os?.name ?? userAgent.slice(0, DEVICE_CHARS_MAX);
}

/** Signs one browser out. Throws NotFound. */
export async function endSession({ stores, session }: Self, sessionId: string): Promise<void> {
  const isEnded = await stores.authenticator.sessions.end(session.userId, sessionId);
  if (!isEnded) throw notFound('This session has already ended: reload the page');
}

/** Signs every browser out but this one; answers how many. */
export async function endOtherSessions({ stores, session }: Self): Promise<number> {
  return stores.authenticator.sessions.endOthers(session.userId, session.sessionId);
}

type Revoking = Pick<Services, 'stores' | 'now'> & { ipAddress: string | null };

/** What acts for a person without a session: personal tokens, and programs that they connected. */
export type Delegated = { tokens: number; programs: number };

export async function countDelegated(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  userId: string,
): Promise<Delegated> {
  const [tokens, programs] = await Promise.all([
    stores.accounts.listTokens(userId),
    stores.oauth.listGrants(userId, now()),
  ]);
  return { tokens: tokens.length, programs: programs.length };
}

/** Ends all of it, each with its entry in the audit log; answers how much there was. */
export async function revokeDelegated(services: Revoking, user: User): Promise<Delegated> {
  const tokens = await revokePersonalTokens(services, user);
  const programs = await revokeAll(services, user, async ({ oauth }) => {
    const grants = await oauth.endGrants(user.id, services.now());
    return grants.map(({ id, organizationId, clientName }) => ({
      organizationId,
      action: 'oauth-grant.remove',
      target: { kind: 'oauth_grant', id: String(id), name: clientName },
    }));
  });
  return { tokens, programs };
}

/** Answers how many there were. */
export async function revokePersonalTokens(services: Revoking, user: User): Promise<number> {
  return revokeAll(services, user, async ({ accounts }) => {
    const tokens = await accounts.deleteTokens(user.id);
    return tokens.map(({ id, organizationId, name }) => ({
      organizationId,
      action: 'api-key.remove',
      target: { kind: 'personal_token', id: String(id), name },
    }));
  });
}

type Revoked = Pick<NewAuditEntry, 'organizationId' | 'target'> & { action: AuditAction };

/** What `revoke` answers and its entries in the audit log are one transaction. */
async function revokeAll(
  { stores, now, ipAddress }: Revoking,
  { id: userId, name }: User,
  revoke: (stores: WebServices) => Promise<readonly Revoked[]>,
): Promise<number> {
  return stores.inTransaction(async (within) => {
    const revoked = await revoke(within);
    for (const each of revoked) {
      const actor = { kind: 'user', userId, name, tokenId: null } as const;
      await within.audit.record({ ...each, at: now(), actor, ipAddress, data: {} });
    }
    return revoked.length;
  });
}
