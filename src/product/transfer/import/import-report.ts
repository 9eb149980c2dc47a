import type { TransferKind } from '../records.ts';

/**
 * What became of a record. `created`: made here, or, in a dry run, it would be; `matched`: something here is taken for it;
 * `unchanged`: an earlier run has it; `failed`: it could not be made; `unmapped`: nothing here is like it.
 */
export const RECORD_RESULTS = ['created', 'matched', 'unchanged', 'failed', 'unmapped'] as const;
export type RecordResult = (typeof RECORD_RESULTS)[number];

export type ImportNote = {
  kind: TransferKind | 'malformed';
  /** The ID in the source, or the place in a file. */
  id: string;
  name: string;
  result: RecordResult;
  /** A sentence for people. */
  reason: string;
};

export type ImportReport = {
  source: string;
  /** Slug; null when nothing named one. */
  organization: string | null;
  isDryRun: boolean;
  /** Whether everything was read; false when it was stopped. */
  isComplete: boolean;
  counts: Partial<Record<TransferKind, Partial<Record<RecordResult, number>>>>;
  /** What records have become: `project 42 web` is `project 7 web`. */
  mapped: { kind: TransferKind; id: string; name: string; target: string | null; result: RecordResult }[];
  /** Whatever is not as it was in the source; the first of them. */
  notes: ImportNote[];
  /** Those that are not among the notes. */
  moreNotes: number;
};

/** Notes in one report: a source with a million events that cannot be read is told of by its first ones. */
export const NOTES_MAX = 10_000;
/** Records of other kinds than events and issues that are listed one by one. */
export const MAPPED_MAX = 50_000;

export const newReport = (source: string, isDryRun: boolean): ImportReport => ({
  source,
  organization: null,
  isDryRun,
  isComplete: false,
  counts: {},
  mapped: [],
  notes: [],
  moreNotes: 0,
});

export function count(report: ImportReport, kind: TransferKind, result: RecordResult, by = 1): void {
  if (by === 0) return;
  const ofKind = report.counts[kind] ?? {};
  ofKind[result] = (ofKind[result] ?? 0) + by;
  report.counts[kind] = ofKind;
}

export function note(report: ImportReport, entry: ImportNote): void {
  if (report.notes.length < NOTES_MAX) report.notes.push(entry);
  else report.moreNotes += 1;
}

export const hasFailures = ({ counts, notes }: ImportReport): boolean =>
  Object.values(counts).some((ofKind) => (ofKind.failed ?? 0) > 0) ||
  notes.some(({ kind }) => kind === 'malformed');
