import { z } from 'zod';
import { REPOSITORY, serializeRepository } from '#app/api/0/shapes/repository.ts';
import type { ChangedFile, CommitAuthor } from '#product/commits/commit.ts';
import type { CommitRow, MemberIdentity } from '#product/commits/commit-row.ts';

/** A member, or who the commit says it is of: then only name and e-mail address. */
export const AUTHOR = z
  .object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    id: z.string().optional(),
    username: z.string().optional(),
    isActive: z.boolean().optional(),
  })
  .meta({ id: 'Author' });

export const COMMIT = z
  .object({
    id: z.string(),
    message: z.string(),
    dateCreated: z.string(),
    pullRequest: z.null(),
    suspectCommitType: z.string(),
    repository: REPOSITORY.nullable(),
    author: AUTHOR,
    releases: z.array(z.unknown()),
  })
  .meta({ id: 'Commit' });

/** A commit that may have brought an issue, and why. */
export const SUSPECT_COMMIT = COMMIT.extend({
  score: z.number(),
  files: z.array(z.string()),
  release: z.string(),
  why: z.string(),
}).meta({ id: 'SuspectCommit' });

export const CHANGED_FILE = z
  .object({
    id: z.string(),
    filename: z.string(),
    type: z.enum(['A', 'M', 'D']),
    commitMessage: z.string(),
    author: AUTHOR,
    repoName: z.string(),
    dateCreated: z.string(),
  })
  .meta({ id: 'ChangedFile' });

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
