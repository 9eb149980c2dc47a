import type { Context } from '#product/context.ts';
import type { Repository } from '#product/repositories/repository.ts';
import { commitUrl } from '#product/repositories/repository-links.ts';
import type { Commit, CommitAuthor } from './commit.ts';

/** A commit with what it is shown with. */
export type CommitRow = Omit<Commit, 'author'> & {
  /** null when it was deleted meanwhile. */
  repository: Repository | null;
  /** Empty without a repository. */
  repositoryName: string;
  /** Of its page; null when unknown. */
  url: string | null;
  author: CommitAuthor & {
    /** null for somebody who is no member. */
    member: MemberIdentity | null;
    memberName: string | null;
  };
  /** How many it changed; 0 where that was not asked for. */
  files: number;
};

/** In the same order. */
export async function toCommitRows(
  ctx: Context,
  commits: readonly (Commit & { fileCount?: number })[],
): Promise<readonly CommitRow[]> {
  if (commits.length === 0) return [];
  const ids = [...new Set(commits.map(({ repositoryId }) => repositoryId))];
  const [repositories, people] = await Promise.all([
    ctx.stores.repositories.findByIds(ctx.organization.id, ids),
    loadCommitPeople(ctx),
  ]);
  const byId = new Map(repositories.map((repository) => [repository.id, repository]));
  return commits.map(({ fileCount = 0, ...commit }) => {
    const repository = byId.get(commit.repositoryId) ?? null;
    const member = findMemberOf(people, commit.author);
    return {
      ...commit,
      repository,
      repositoryName: repository?.name ?? '',
      url: repository && commitUrl(repository, commit.key),
      author: { ...commit.author, member, memberName: member?.name ?? null },
      files: fileCount,
    };
  });
}

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
