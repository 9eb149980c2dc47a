import type { Context } from '#product/context.ts';
import type { RecordOf, TransferKind } from '../records.ts';
import type { ImportState } from './import-state.ts';

/** How records of one kind become something here. Targets are written as text. */
export type RecordImporter<Kind extends TransferKind> = {
  /** Unique among the records of the kind. */
  idOf(record: RecordOf<Kind>): string;
  /** For people. */
  nameOf(record: RecordOf<Kind>): string;
  /** What is here already and is the same by its name; null when there is nothing. */
  find(ctx: Context, state: ImportState, record: RecordOf<Kind>): Promise<string | null>;
  /** Throws ErrataError for what cannot be made. */
  create(ctx: Context, state: ImportState, record: RecordOf<Kind>): Promise<string>;
  /**
   * Each time that the record is read, also where an earlier run made it: what may be repeated, and what later records need to
   * know. The target is null in a dry run that would make it, and so may be the context.
   */
  settle?(
    ctx: Context | null,
    state: ImportState,
    record: RecordOf<Kind>,
    target: string | null,
  ): Promise<void>;
};
