import type { Context } from '#product/context.ts';
import type { CommitAuthor } from '#storage/ports/commits.ts';

export type MemberIdentity = { userId: string; name: string; email: string };

/** Members by their address in lower case. */
export type CommitPeople = ReadonlyMap<string, MemberIdentity>;

/** Who of the organization may have written commits. */
export async function loadCommitPeople(ctx: Context): Promise<CommitPeople> {
  const members = await ctx.stores.members.list(ctx.organization.id);
  return new Map(members.map(({ userId, name, email }) => [email.toLowerCase(), { userId, name, email }]));
}

/** The member with the author's address; null for somebody else. */
export const findMemberOf = (people: CommitPeople, author: CommitAuthor): MemberIdentity | null =>
  author.email === null ? null : (people.get(author.email) ?? null);
