import { type CliInput, UsageError } from '#cli/cli-command.ts';
import { TRANSFER_KINDS, type TransferKind } from '#product/transfer/records.ts';

export const RANGE_OPTIONS = {
  since: {
    type: 'string',
    placeholder: '<time>',
    meaning: 'Only events that arrived at or after this time, for example 2026-01-31T04:00:00Z',
  },
  until: { type: 'string', placeholder: '<time>', meaning: 'Only events that arrived before this time' },
  kinds: {
    type: 'string',
    placeholder: '<kind,...>',
    meaning: `Only these kinds of records: ${TRANSFER_KINDS.join(', ')}`,
  },
} as const;

/** Throws UsageError. Without a bound, all time. */
export function readRange(input: CliInput): { fromMs: number; toMs: number } {
  const read = (name: 'since' | 'until', otherwise: number): number => {
    const text = input.option(name);
    if (text === undefined) return otherwise;
    const ms = Date.parse(text);
    if (Number.isNaN(ms)) {
      throw new UsageError(`"${text}" is not a time: write it like 2026-01-31T04:00:00Z`);
    }
    return ms;
  };
  return { fromMs: read('since', 0), toMs: read('until', Number.MAX_SAFE_INTEGER) };
}

/** null for all. Throws UsageError. */
export function readKinds(input: CliInput): ReadonlySet<TransferKind> | null {
  const text = input.option('kinds');
  if (text === undefined) return null;
  const kinds = text.split(',').map((name) => name.trim());
  const known = new Set<string>(TRANSFER_KINDS);
  const wrong = kinds.find((kind) => !known.has(kind));
  if (wrong !== undefined) {
    throw new UsageError(`"${wrong}" is not a kind of record: choose from ${TRANSFER_KINDS.join(', ')}`);
  }
  return new Set(TRANSFER_KINDS.filter((kind) => kinds.includes(kind)));
}

/** Ends what runs when somebody presses Ctrl+C, so that it can be continued; a second time ends the process. */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error('Interrupted: run the same command again to continue'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
