import { notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import type { OrganizationMember } from '#storage/ports/members.ts';
import { listMembers } from './list-members.ts';

/** By number, by user id, or `me` for whoever asks. Throws NotFound, also for members of other organizations. */
export async function getMember(ctx: Context, name: string): Promise<OrganizationMember> {
  const userId = name === 'me' ? userIdOf(ctx) : name;
  const members = await listMembers(ctx);
  const member = members.find((each) => each.userId === userId || String(each.id) === name);
  if (!member) throw memberNotFound(ctx, name);
  return member;
}

export const memberNotFound = (ctx: Context, name: string) =>
  notFound(`The organization ${ctx.organization.slug} has no member "${name.slice(0, 80)}": reload the list`);
