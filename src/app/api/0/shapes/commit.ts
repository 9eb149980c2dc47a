import { z } from 'zod';
import { EMPTY_LIST, isoMs, NO_TEXT, NULL, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
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

/** A member as a user; anyone else by the commit's name and email. */
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

/** Source of the fields: https://docs.sentry.io/api/releases/list-an-organization-releases-commits/ */
export const [COMMIT, serializeCommit] = shapeOf<CommitRow>()(
  {
    id: [z.string(), 'key'],
    message: z.string(),
    dateCreated: isoMs('committedAt'),
    pullRequest: NULL,
    suspectCommitType: NO_TEXT,
    repository: [REPOSITORY.nullable(), ({ repository }) => repository && serializeRepository(repository)],
    author: [AUTHOR, ({ author }) => serializeAuthor(author, author.member)],
    releases: EMPTY_LIST,
  },
  'Commit',
);

/** A commit that may have brought an issue, and why. */
export const SUSPECT_COMMIT = COMMIT.extend({
  score: z.number(),
  files: z.array(z.string()),
  release: z.string(),
  why: z.string(),
}).meta({ id: 'SuspectCommit' });

/** Source of the fields: https://docs.sentry.io/api/releases/retrieve-files-changed-in-a-releases-commits/ */
export const [CHANGED_FILE, serializeChangedFile] = shapeOf<ChangedFile & { commit: CommitRow }>()(
  {
    id: [z.string(), ({ commit, path }) => `${commit.id}:${path}`],
    filename: [z.string(), 'path'],
    type: [z.enum(['A', 'M', 'D']), 'change'],
    commitMessage: [z.string(), ({ commit }) => commit.message],
    author: [AUTHOR, ({ commit }) => serializeAuthor(commit.author, commit.author.member)],
    repoName: [z.string(), ({ commit }) => commit.repositoryName],
    dateCreated: [z.string(), ({ commit }) => isoOfMs(commit.committedAt)],
  },
  'ChangedFile',
);
