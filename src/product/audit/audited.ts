import type { User } from '#domain/people.ts';
import { type Context, inTransaction } from '#product/context.ts';
import type { Stores } from '#product/stores.ts';
import type { InTransaction } from '#storage/sql/connections.ts';
import type { AuditAction } from './audit-actions.ts';
import type { AuditActor, AuditTarget } from './audit-store.ts';

/** What an entry says besides who, when and where. */
export type AuditedChange = {
  action: AuditAction;
  target: { kind: AuditTarget['kind']; id: string | number | null; name: string };
  /** Never a secret. */
  data?: Readonly<Record<string, unknown>>;
};

/** Makes a change and records it, in one transaction. `describe` returns null when nothing changed. */
export function audited<Result>(
  ctx: Context,
  change: (ctx: Context) => Promise<Result>,
  describe: (result: Result) => AuditedChange | null,
): Promise<Result> {
  return inTransaction(ctx, async (within) => {
    const result = await change(within);
    const described = describe(result);
    if (described) {
      const { action, target, data = {} } = described;
      await within.stores.audit.record({
        organizationId: ctx.organization.id,
        at: ctx.now(),
        action,
        actor: auditActor(within),
        ipAddress: ctx.ipAddress ?? null,
        target: { ...target, id: target.id === null ? null : String(target.id) },
        data,
      });
    }
    return result;
  });
}

function auditActor({ actor }: Context): AuditActor {
  switch (actor.kind) {
    case 'system':
      return { kind: 'system', userId: null, name: 'The operator', tokenId: null };
    case 'organization_token':
      return { kind: 'organization_token', userId: null, name: actor.name, tokenId: actor.tokenId };
    case 'token':
      return { kind: 'token', userId: actor.userId, name: actor.name, tokenId: actor.tokenId ?? null };
    case 'user':
      return { kind: 'user', userId: actor.userId, name: actor.name, tokenId: null };
  }
}

/** The project as what was changed. */
export const projectTarget = ({ id, slug }: { id: number; slug: string }): AuditedChange['target'] => ({
  kind: 'project',
  id,
  name: slug,
});

/** The client key as what was changed: its public key is in every program, and no secret. */
export const keyTarget = ({ id, publicKey }: { id: number; publicKey: string }): AuditedChange['target'] => ({
  kind: 'client_key',
  id,
  name: publicKey,
});

/** The issue as what was changed. */
export const issueTarget = ({ id, shortId }: { id: number; shortId: string }): AuditedChange['target'] => ({
  kind: 'issue',
  id,
  name: shortId,
});

/** The organization as what was changed. */
export const organizationTarget = ({ organization }: Context): AuditedChange['target'] => ({
  kind: 'organization',
  id: organization.id,
  name: organization.slug,
});

/** Changes how a user signs in, recorded in all their organizations. `change` returns null when nothing changed. */
export async function auditSignInChange<Held extends Pick<Stores, 'accounts' | 'audit'>>(
  { stores, now }: { stores: { inTransaction: InTransaction<Held> }; now: () => number },
  input: { action: AuditAction; ipAddress: string | null; change: (stores: Held) => Promise<User | null> },
): Promise<User | null> {
  const { action, ipAddress, change } = input;
  return stores.inTransaction(async (within) => {
    const user = await change(within);
    if (!user) return null;
    for (const { organizationId } of await within.accounts.listMemberships(user.id)) {
      await within.audit.record({
        organizationId,
        at: now(),
        action,
        actor: { kind: 'user', userId: user.id, name: user.name, tokenId: null },
        ipAddress,
        target: { kind: 'user', id: user.id, name: user.email },
        data: {},
      });
    }
    return user;
  });
}
