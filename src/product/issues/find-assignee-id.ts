import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';

/** The user id of a member by e-mail address (either case) or user id. Throws Invalid when there is none. */
export async function findAssigneeId(ctx: Context, emailOrUserId: string): Promise<string> {
  const members = await ctx.stores.accounts.listMembers(ctx.organization.id);
  const email = emailOrUserId.toLowerCase();
  const member = members.find(
    (candidate) => candidate.id === emailOrUserId || candidate.email.toLowerCase() === email,
  );
  if (!member) {
    throw invalid(
      `${ctx.organization.slug} has no member "${emailOrUserId.slice(0, 80)}": give the e-mail address of a member`,
      'assignedTo',
    );
  }
  return member.id;
}
