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
  /** Oldest first. */
  listDeleted(): Promise<readonly DeletedProject[]>;
  /** One more sweep is done. */
  noteSweep(projectId: number): Promise<void>;
  /** Nothing is left of it. */
  forget(projectId: number): Promise<void>;
}

/** What of deleted projects lies in the analytic store. Source: ClickHouse. */
export interface DeletedProjectData {
  /** Keys of the blobs that its rows name, ascending, after a key; at most `limit`. */
  listBlobKeys(project: DeletedProject, after: string, limit: number): Promise<readonly string[]>;
  /** Rows of every kind. May be repeated; nothing is left when it resolves. */
  deleteRows(project: DeletedProject): Promise<void>;
}
