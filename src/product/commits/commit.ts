/** null for what the commit does not say; an address is in lower case. */
export type CommitAuthor = { name: string | null; email: string | null };

/** Added, modified, deleted. */
export const FILE_CHANGES = ['A', 'M', 'D'] as const;
export type FileChange = (typeof FILE_CHANGES)[number];

export type ChangedFile = { path: string; change: FileChange };

export type Commit = {
  id: number;
  repositoryId: number;
  /** As the version control names it: a hash, mostly. */
  key: string;
  message: string;
  author: CommitAuthor;
  /** Milliseconds since the epoch. */
  committedAt: number;
};

export type NewCommit = Omit<Commit, 'id'> & { files: readonly ChangedFile[] };

/** The commit that a release ends with, of one repository. */
export type ReleaseHead = {
  repositoryId: number;
  commitKey: string;
  /** Of the release before; null when unknown. */
  previousKey: string | null;
};

/** A commit that changed a file. */
export type TouchingCommit = { releaseId: number; commit: Commit; path: string };

/** An issue that a commit says it fixes. */
export type FixedIssue = {
  issueId: number;
  repositoryName: string;
  commitKey: string;
  /** Who wrote the commit, when that is a member; null for others. */
  userId: string | null;
};
