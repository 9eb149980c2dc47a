import { z } from 'zod';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { invalid } from '#lib/errors.ts';
import type { TransferKind } from '../records.ts';
import type { ReadOptions, TransferItem } from '../transfer-source.ts';

/** How far a step is, in its own words; everything before it is complete. At most 9,000 characters. */
export type StepMark = { kind: 'mark'; after: string };

export type StepItem = Exclude<TransferItem, { kind: 'checkpoint' }> | StepMark;

/** What a source reads one after the other; of each kind of record one step or none. */
export type SourceStep = {
  kind: TransferKind;
  /** `after`: the last mark that the step gave in an earlier run; null for the beginning. */
  read(after: string | null): AsyncIterable<StepItem>;
};

/** Others name these, and they are few. */
const READ_EACH_TIME: ReadonlySet<TransferKind> = new Set(['organization', 'member', 'team', 'project']);
/** `organization` and `project` are needed to know what the others belong to. */
const READ_IN_ANY_CASE: ReadonlySet<TransferKind> = new Set(['organization', 'project']);

const CURSOR = z.object({ step: z.string(), after: z.string().nullable() });

/**
 * The records of the steps that were asked for, from where an earlier run was; a checkpoint follows every mark and the end of every
 * step. Throws Invalid for a cursor of another kind of source, and the reason of the signal once it is aborted.
 */
export async function* readSteps(
  steps: readonly SourceStep[],
  { kinds, after, signal }: Pick<ReadOptions, 'kinds' | 'after' | 'signal'>,
): AsyncGenerator<TransferItem> {
  const cursor = after === null ? null : readCursor(after);
  const reached = cursor === null ? 0 : steps.findIndex(({ kind }) => kind === cursor.step);
  if (reached < 0) throw invalid('The progress of the earlier run is of another source: start over');
  for (const [index, step] of steps.entries()) {
    const isRepeated = READ_EACH_TIME.has(step.kind);
    if (index < reached && !isRepeated) continue;
    if (!kinds.has(step.kind) && !READ_IN_ANY_CASE.has(step.kind)) continue;
    const stepAfter = index === reached && !isRepeated ? (cursor?.after ?? null) : null;
    for await (const item of step.read(stepAfter)) {
      signal.throwIfAborted();
      if (item.kind !== 'mark') yield item;
      else if (index >= reached) yield { kind: 'checkpoint', cursor: writeCursor(step.kind, item.after) };
    }
    signal.throwIfAborted();
    const next = steps[index + 1];
    if (next && index >= reached) yield { kind: 'checkpoint', cursor: writeCursor(next.kind, null) };
  }
}

const writeCursor = (step: string, after: string | null): string => JSON.stringify({ step, after });

function readCursor(text: string): z.infer<typeof CURSOR> {
  try {
    return CURSOR.parse(parseBoundedJson(text));
  } catch {
    throw invalid('The progress of the earlier run cannot be read: start over');
  }
}
