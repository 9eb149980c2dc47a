import { invalid, isErrataError } from '#lib/errors.ts';
import type { EventExpression } from '#storage/ports/search.ts';

/** A longer search is canceled: it is too broad, and others need the machine. */
const SEARCH_SECONDS_MAX = 10;
/** Memory of one search. */
const SEARCH_MEMORY_BYTES_MAX = 400_000_000;
/** Rows read for suggestions; what was found by then is returned. */
const SUGGESTION_ROWS_MAX = 1_000_000;
/** Time for suggestions; what was found by then is returned. */
const SUGGESTION_SECONDS_MAX = 1;

/** At the end of a statement that searches. */
export const SEARCH_SETTINGS = `SETTINGS max_execution_time = ${SEARCH_SECONDS_MAX}, max_memory_usage = ${SEARCH_MEMORY_BYTES_MAX}`;

/**
 * As `SEARCH_SETTINGS`, where the events of an issue are read with or without a search: then columns of the table of events
 * are renamed to those of the index, and conditions mean the columns.
 */
export const limitsOf = (filter: { expression?: EventExpression } | undefined): string =>
  filter?.expression ? `${SEARCH_SETTINGS}, prefer_column_name_to_alias = 1` : '';

/** At the end of a statement whose answer may be incomplete. */
export const SUGGESTION_SETTINGS = `SETTINGS max_execution_time = ${SUGGESTION_SECONDS_MAX}, timeout_overflow_mode = 'break',
  max_rows_to_read = ${SUGGESTION_ROWS_MAX}, read_overflow_mode = 'break', max_memory_usage = ${SEARCH_MEMORY_BYTES_MAX}`;

/** At the end of a statement that counts for suggestions: all or nothing. */
export const COUNT_SETTINGS = `SETTINGS max_execution_time = ${SUGGESTION_SECONDS_MAX}, max_memory_usage = ${SEARCH_MEMORY_BYTES_MAX}`;

/** Whether the server gave a statement up for its time or memory. */
export function exceedsLimits(error: unknown): boolean {
  const cause = isErrataError(error) ? error.cause : error;
  const type = (cause as { type?: unknown } | undefined)?.type;
  return type === 'TIMEOUT_EXCEEDED' || type === 'TOO_SLOW' || type === 'MEMORY_LIMIT_EXCEEDED';
}

/** Throws Invalid when the server gave the search up for its time or memory. */
export async function searching<Result>(search: Promise<Result>): Promise<Result> {
  try {
    return await search;
  } catch (error) {
    if (!exceedsLimits(error)) throw error;
    throw invalid(
      `The search exceeded ${SEARCH_SECONDS_MAX} seconds or the memory limit: choose a shorter time range, fewer projects, or a narrower search`,
      'query',
    );
  }
}
