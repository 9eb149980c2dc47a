import { conflict } from '#lib/errors.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';

export type AuthPolicy = {
  requiresTwoFactor: boolean;
  /** Who would have to set it up before pages of the organization open. */
  membersWithout: number;
};

export async function getAuthPolicy(ctx: Context): Promise<AuthPolicy> {
  requireRight(ctx, 'org:read');
  const { accounts } = ctx.stores;
  const [requiresTwoFactor, membersWithout] = await Promise.all([
    accounts.requiresTwoFactor(ctx.organization.id),
    accounts.countWithoutTwoFactor(ctx.organization.id),
  ]);
  return { requiresTwoFactor, membersWithout };
}

/** Throws Forbidden; Conflict when whoever asks has no second factor and would lock themselves out. */
export async function setTwoFactorRequired(ctx: Context, isRequired: boolean): Promise<void> {
  requireRight(ctx, 'org:admin');
  const { accounts } = ctx.stores;
  if (isRequired && ctx.actor.kind === 'user') {
    const profile = await accounts.findProfile(ctx.actor.userId);
    if (!profile?.hasTwoFactor) {
      throw conflict(
        'Set up two-factor authentication for yourself first: otherwise you would be locked out',
      );
    }
  }
  await audited(
    ctx,
    (ctx) => ctx.stores.accounts.setTwoFactorRequired(ctx.organization.id, isRequired),
    () => ({
      action: 'org.auth.edit',
      target: organizationTarget(ctx),
      data: { requiresTwoFactor: isRequired },
    }),
  );
}
