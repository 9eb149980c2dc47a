/** How rows of Explore are shown, and of which projects, environments and time, beside the search itself. */
export type SavedQuestion = {
  view: 'samples' | 'groups';
  /** Columns of the rows. */
  fields: readonly string[];
  groupBy: readonly string[];
  functions: readonly string[];
  /** A column of the table, with - in front for the largest first; null for the usual order. */
  sort: string | null;
  /** Whether the period before is shown beside it. */
  isCompared: boolean;
  /** By slug, empty for all; so are the environments. */
  projects: readonly string[];
  environments: readonly string[];
  /** A length of time that ends now, such as `14d`, or two moments in milliseconds since the epoch, half-open. */
  time: { kind: 'last'; period: string } | { kind: 'between'; fromMs: number; toMs: number };
};
