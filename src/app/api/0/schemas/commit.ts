import { z } from 'zod';
import { REPOSITORY } from './repository.ts';

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
