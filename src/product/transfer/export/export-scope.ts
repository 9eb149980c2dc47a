import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { TransferKind } from '../records.ts';

export type ExportOptions = {
  /** Of events, by their arrival; milliseconds since the epoch, half-open. */
  fromMs: number;
  toMs: number;
  kinds: ReadonlySet<TransferKind>;
  progress: (line: string) => void;
  signal: AbortSignal;
};

/** What an export asks for while it is written. */
export type ExportScope = {
  ctx: Context;
  projects: readonly Project[];
  /** Addresses of members by user ID. */
  emails: ReadonlyMap<string, string>;
  options: ExportOptions;
};

/** Rows that are read at once. */
export const EXPORT_PAGE = 200;

export const timeOf = (ms: number): string => new Date(ms).toISOString();
export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms));
