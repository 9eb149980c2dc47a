/** A project that is gone, of which the analytic store and the blobs may still hold something. */
export type DeletedProject = {
  organizationId: number;
  projectId: number;
  /** Milliseconds since the epoch. */
  deletedAt: number;
  /** How often its data was removed: what was on its way at the time arrives after the first. */
  sweeps: number;
};

/** Projects that are deleted. Source: PostgreSQL. */
export interface ProjectDeletionStore {
  /**
   * In one transaction: the project with all that hangs on it is gone, and its data is noted for removal. False when
   * the organization has no such project. Counted outcomes stay.
   */
  deleteProject(organizationId: number, projectId: number, atMs: number): Promise<boolean>;
  /** As `deleteProject`, of every project that the organization has. */
  deleteAllProjects(organizationId: number, atMs: number): Promise<void>;
  /** Whose turn it is comes first: the oldest of those that were not postponed. */
  listDeleted(): Promise<readonly DeletedProject[]>;
  /** It goes on after all others that wait. */
  postpone(projectId: number): Promise<void>;
  /** One more sweep is done. */
  noteSweep(projectId: number): Promise<void>;
  /** Nothing is left of it. */
  forget(projectId: number): Promise<void>;
}

/** What of deleted projects lies in the analytic store. Source: ClickHouse. */
export interface DeletedProjectData {
  /** Keys of the blobs that its rows name, ascending, after a key; at most `limit`. */
  listBlobKeys(project: DeletedProject, after: string, limit: number): Promise<readonly string[]>;
  /** The rows that name blobs up to this key, whose blobs are gone. */
  deleteBlobRows(project: DeletedProject, lastKey: string): Promise<void>;
  /** Rows of every kind. May be repeated; nothing is left when it resolves. */
  deleteRows(project: DeletedProject): Promise<void>;
}
