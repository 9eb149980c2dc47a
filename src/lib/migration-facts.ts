/** What an operator wants to know of a migration before it runs. */
export type MigrationFacts = {
  /** What changes, as the beginning of a sentence. */
  summary: string;
  /** What of the stored rows it goes through; null: it takes the same moment whatever is stored. */
  cost: MigrationCost | null;
  /** Whether the version before runs with it: it adds only what that version neither needs nor has to fill. */
  isCompatible: boolean;
};

export type MigrationCost = {
  /** Tables whose rows are read, written anew or indexed. */
  tables: readonly string[];
  /** How often that is. */
  passes: number;
  /** Bytes that it adds for each byte of those tables, old rows that are cleared up later included. */
  growth: number;
};

/** Of a file that nothing is known of: as careful as can be. */
export const UNKNOWN_MIGRATION: MigrationFacts = {
  summary: 'Changes the schema',
  cost: null,
  isCompatible: false,
};

export type StoreName = 'PostgreSQL' | 'ClickHouse';

/** A migration begins, or has got further. */
export type MigrationStep = {
  store: StoreName;
  /** Of its file. */
  name: string;
  /** From 1, of those that are pending. */
  number: number;
  count: number;
  /** Of its statements, where it has several that are done one by one. */
  statements: { done: number; count: number } | null;
};
