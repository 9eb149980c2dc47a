import { queryKey } from './query-key.ts';
import { urlKey } from './url-key.ts';

/** Sentry's name for it; an SDK may have set it. */
export const NORMALIZED_DESCRIPTION = 'sentry.normalized_description';

const QUERY_OP = /^db(?:\.|$)/;
const REQUEST = /^([A-Z]{3,10}) (\S+)$/;

/**
 * The description of a query without its values, of an outgoing request without the ids in its path; null when it has
 * none, and for other operations.
 */
export function normalizedDescription(op: string, description: string): string | null {
  const normalized = QUERY_OP.test(op)
    ? queryKey(description).key
    : op === 'http.client'
      ? description.replace(REQUEST, (_, method, url) => `${method} ${urlKey(url)}`)
      : description;
  return normalized === description ? null : normalized;
}
