import type { AlertMeasure } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { type NarrowFields, openNarrowSearch, SESSION_FIELDS } from '#product/search/narrow-search.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import { EVERYTHING, type EventExpression } from '#storage/ports/search.ts';

/** What the rows of a measure can be asked for; null for everything that an event has. */
const FIELDS_OF: Readonly<Record<AlertMeasure, NarrowFields | null>> = {
  events: null,
  users: null,
  crash_free_sessions: SESSION_FIELDS,
  crash_free_users: SESSION_FIELDS,
  failure_rate: {
    subject: 'Transactions',
    columns: new Set([
      'transaction',
      'release',
      'dist',
      'environment',
      'platform',
      'trace',
      'user.id',
      'user.email',
      'user.username',
      'user.ip',
      'sdk.name',
      'sdk.version',
    ]),
    hasTags: true,
  },
};

/** What a metric is measured of. Throws Invalid for a bad search, and for one that the measure does not know. */
export async function openMetricQuery(
  ctx: Context,
  project: Project,
  { measure, query, environment }: { measure: AlertMeasure; query: string; environment: string | null },
): Promise<EventExpression> {
  const environments = environment === null ? [] : [environment];
  const fields = FIELDS_OF[measure];
  if (fields) return await openNarrowSearch(ctx, { query, projects: [project], environments }, fields);
  return (await openEventSearch(ctx, query, [project], environments)).expression ?? EVERYTHING;
}
