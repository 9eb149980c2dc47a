import type { ChangedFile, CommitAuthor } from '#product/commits/commit.ts';
import type { CommitRow, MemberIdentity } from '#product/commits/commit-row.ts';
import { serializeRepository } from './serialize-repository.ts';

/** Source of the fields: https://docs.sentry.io/api/releases/list-an-organization-releases-commits/ */
export const serializeCommit = (commit: CommitRow) => ({
  id: commit.key,
  message: commit.message,
  dateCreated: new Date(commit.committedAt).toISOString(),
  pullRequest: null,
  suspectCommitType: '',
  repository: commit.repository && serializeRepository(commit.repository),
  author: serializeAuthor(commit.author, commit.author.member),
  releases: [],
});

/** A member as a user; somebody else by what the commit tells. */
export const serializeAuthor = ({ name, email }: CommitAuthor, member: MemberIdentity | null) =>
  member
    ? {
        id: member.userId,
        name: member.name,
        username: member.email,
        email: member.email,
        isActive: true,
      }
    : { name, email };

/** Source of the fields: https://docs.sentry.io/api/releases/retrieve-files-changed-in-a-releases-commits/ */
export const serializeChangedFile = ({ path, change, commit }: ChangedFile & { commit: CommitRow }) => ({
  id: `${commit.id}:${path}`,
  filename: path,
  type: change,
  commitMessage: commit.message,
  author: serializeAuthor(commit.author, commit.author.member),
  repoName: commit.repositoryName,
  dateCreated: new Date(commit.committedAt).toISOString(),
});
