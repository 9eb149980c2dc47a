/** null for what the commit does not tell; an address is in lower case. */
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
  /** Of the release before; null when nobody told. */
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

/** Commits, and the releases that hold them. Source: PostgreSQL. Every call is scoped by organization. */
export interface CommitStore {
  /**
   * The commits of a release are these, newest first, in place of those that it had. One that is known is renewed; its
   * files are joined. The head of each repository is its newest commit. One transaction.
   */
  setReleaseCommits(organizationId: number, releaseId: number, commits: readonly NewCommit[]): Promise<void>;
  /** The heads of a release are these, besides those of other repositories. */
  setReleaseHeads(organizationId: number, releaseId: number, heads: readonly ReleaseHead[]): Promise<void>;
  /** The release has neither commits nor heads any more. */
  clearRelease(organizationId: number, releaseId: number): Promise<void>;
  listHeads(organizationId: number, releaseId: number): Promise<readonly ReleaseHead[]>;
  /** Newest first, from the place on, with how many files each changed. */
  listOfRelease(
    organizationId: number,
    releaseId: number,
    options: { limit: number; offset: number },
  ): Promise<readonly (Commit & { fileCount: number })[]>;
  /** What the commits of a release changed, by path; `change` is that of the newest commit. */
  listFilesOfRelease(
    organizationId: number,
    releaseId: number,
    options: { limit: number; offset: number },
  ): Promise<readonly (ChangedFile & { commit: Commit })[]>;
  countFilesOfRelease(organizationId: number, releaseId: number): Promise<number>;
  /** Releases that hold the commit, which may be named by its beginning, oldest first. */
  listReleasesWith(
    organizationId: number,
    commit: { repositoryName: string; key: string },
    limit: number,
  ): Promise<readonly number[]>;
  /** Of a repository, newest first, from the place on; `seenIn`: those of releases of these projects, null for all. */
  list(
    organizationId: number,
    repositoryId: number,
    options: { seenIn: readonly number[] | null; limit: number; offset: number },
  ): Promise<readonly Commit[]>;
  /** Commits of the releases that changed a file with one of the names (the last part of its path). */
  findTouching(
    organizationId: number,
    releaseIds: readonly number[],
    fileNames: readonly string[],
    limit: number,
  ): Promise<readonly TouchingCommit[]>;
  /**
   * Resolves issues by commits of a release: in the release when it is of the issue's project, else in the commit until
   * such a release comes. Issues that wait for one of the release's commits are resolved in the release too. A commit
   * resolves an issue once: what came back, or was opened again, stays open. `fixed` has an issue once. `releaseId` null:
   * no release holds the commits yet. Answers the issues that changed.
   */
  resolveIssues(
    organizationId: number,
    releaseId: number | null,
    fixed: readonly FixedIssue[],
    atMs: number,
  ): Promise<readonly number[]>;
}
