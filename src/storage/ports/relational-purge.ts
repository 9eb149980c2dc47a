/** What the relational store could remove for good. */
export type PurgedRelations = {
  /** Whether the tables were rewritten without what was deleted or changed in them. */
  hasRewrittenTables: boolean;
  /** Whether nothing of its log holds it any more. */
  hasRenewedLog: boolean;
};

/** Deleted and changed rows stay in the files of tables, in statistics and in the write-ahead log. Source: PostgreSQL. */
export interface RelationalPurge {
  /** What the tables occupy. */
  measure(tables: readonly string[]): Promise<number>;
  /** Rewrites the tables and the statistics of their columns, and the log. May be repeated; done when it resolves. */
  purge(tables: readonly string[]): Promise<PurgedRelations>;
}
