/** Something that an operator should look at: what it is, and what to do about it. */
export type Problem = { detail: string; next: string };

/** What a store says of itself. */
export type StoreDiagnosis = {
  name: 'PostgreSQL' | 'ClickHouse';
  version: string;
  /** By its own clock, milliseconds since the epoch. */
  nowMs: number;
  problems: readonly Problem[];
  /** The servers of a cluster that answer, and how each of them is; empty without a cluster. */
  servers: readonly { name: string; detail: string }[];
};
