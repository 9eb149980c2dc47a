/** Who owns what of a project, as its members wrote it. */
export type Ownership = {
  /** In the language of ownership rules: one rule a line. */
  rules: string;
  /** A CODEOWNERS file, whole. */
  codeowners: string;
  /** What paths of stack traces begin with, and what the repository has in its place. Empty for the same. */
  stackRoot: string;
  sourceRoot: string;
  /** Whether a new issue is assigned to its owner. */
  autoAssign: boolean;
};

export type StoredOwnership = Ownership & {
  /** 0 while nothing was saved. */
  version: number;
  /** Milliseconds since the epoch; null while nothing was saved. */
  updatedAt: number | null;
  /** null when nothing was saved or the user is gone. */
  updatedBy: { id: string; name: string } | null;
};

/** Ownership rules by project. Source: PostgreSQL. */
export interface OwnershipStore {
  /** null when the organization has no such project. */
  find(organizationId: number, projectId: number): Promise<StoredOwnership | null>;
  /** null when the organization has no such project. Throws Conflict when `version` is not the current one. */
  save(
    organizationId: number,
    projectId: number,
    ownership: Ownership,
    version: number,
    userId: string | null,
    atMs: number,
  ): Promise<StoredOwnership | null>;
  /** Changes whenever any project's rules do; for caches. */
  stamp(): Promise<string>;
  /** Every project that assigns by itself, at most `limit`. */
  listAutoAssigning(limit: number): Promise<readonly (Ownership & { projectId: number })[]>;
}
