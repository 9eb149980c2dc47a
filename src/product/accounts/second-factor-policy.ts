import type { Organization } from '#domain/projects.ts';
import { conflict, forbidden } from '#lib/errors.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Session } from '#storage/ports/authenticator.ts';

export type SecondFactorPolicy = {
  requiresTwoFactor: boolean;
  /** Who would have to set it up before pages of the organization open. */
  membersWithout: number;
};

export async function getSecondFactorPolicy(ctx: Context): Promise<SecondFactorPolicy> {
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

/**
 * Before anything of an organization that requires a second factor. Throws Forbidden for an account without one. With
 * one, there is no session before the second step: `open-session.ts` of the authenticator opens none.
 */
export function requireSecondFactor(session: Session, { slug }: Organization, publicUrl: string): void {
  if (session.hasTwoFactorEnabled) return;
  throw forbidden(
    `Organization "${slug}" requires two-factor authentication: set it up at ${publicUrl}/account/security`,
  );
}
