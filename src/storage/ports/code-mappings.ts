/** Where the paths of a project's stack traces are in a repository. */
export type CodeMapping = {
  id: number;
  projectId: number;
  repositoryId: number;
  /** What paths begin with in stack traces; may be empty. */
  stackRoot: string;
  /** What they begin with in the repository instead; may be empty. */
  sourceRoot: string;
  /** What is linked to while no commit of the release is known. */
  defaultBranch: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

export type CodeMappingDraft = Omit<CodeMapping, 'id' | 'createdAt'>;

/** Source: PostgreSQL. Every call is scoped by organization. */
export interface CodeMappingStore {
  /** Of any of the projects, by project, then by root. */
  list(organizationId: number, projectIds: readonly number[]): Promise<readonly CodeMapping[]>;
  find(organizationId: number, mappingId: number): Promise<CodeMapping | null>;
  /**
   * One of the same project and root is changed instead. null when the organization has no such project or repository.
   */
  save(
    organizationId: number,
    draft: CodeMappingDraft,
    atMs: number,
  ): Promise<{ mapping: CodeMapping; isNew: boolean } | null>;
  /** null when there is none (any more). Throws Conflict when the project has another one with the root. */
  update(organizationId: number, mappingId: number, draft: CodeMappingDraft): Promise<CodeMapping | null>;
  /** False when there is none. */
  delete(organizationId: number, mappingId: number): Promise<boolean>;
}
