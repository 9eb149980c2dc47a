import type { QueryEntries } from '#app/url-state.ts';
import { APDEX_THRESHOLD_MS } from '#product/explore/rows/row-functions.ts';

/** What Explore must be asked so that it shows the spans behind a number, besides the search of the number. */
export type NumberSpans = { search: string; entries: QueryEntries };

const FAILED = '!span.status:[ok,cancelled,unknown,unset]';
const SLOWEST_FIRST: QueryEntries = { sort: '-span.duration' };

/** The spans that a function is about: the failed ones of a failure rate, the slowest first of a percentile. */
export function spansOfNumber(fn: string): NumberSpans {
  if (fn === 'failure_rate()') return { search: FAILED, entries: {} };
  if (fn.startsWith('apdex(')) {
    return { search: `span.duration:>${APDEX_THRESHOLD_MS}ms`, entries: SLOWEST_FIRST };
  }
  if (fn === 'count_unique(user)') {
    return { search: 'has:user', entries: { view: 'groups', group: 'user' } };
  }
  if (fn === 'avg(cache.hit)')
    return { search: 'has:cache.hit', entries: { view: 'groups', group: 'cache.hit' } };
  const measured = /^\w+\(([\w.]+)\)$/.exec(fn)?.[1];
  if (measured === undefined) return { search: '', entries: {} };
  if (measured === 'span.duration') return { search: '', entries: SLOWEST_FIRST };
  return {
    search: `has:${measured}`,
    entries: { field: ['span.description', measured, 'span.duration', 'project', 'timestamp'] },
  };
}
