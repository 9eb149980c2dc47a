import { HOUR_MS } from '#lib/time.ts';
import { findEventAnywhere } from '#product/events/get-event.ts';
import { listTagKeys } from '#product/explore/explore-fields.ts';
import { deleteProjectKey, listOrganizationKeys } from '#product/projects/client-keys.ts';
import { listIssueReplays } from '#product/replays/replays.ts';
import { getProjectOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { countTrace } from '#product/traces/traces.ts';
import { ids } from '../fill-telemetry.ts';
import { reads, settings, type VerbRow } from './rows.ts';

/** What only the API offers. */
export const REFERENCE_VERBS: Readonly<Record<string, VerbRow>> = {
  findEventAnywhere: reads('viewer', (ctx, s) => findEventAnywhere(ctx, s.error.eventId)),
  listTagKeys: reads('viewer', (ctx, s) => listTagKeys(ctx, { projectSlugs: [], range: s.range })),
  listOrganizationKeys: reads('viewer', (ctx) => listOrganizationKeys(ctx, { cursor: null, limit: 10 })),
  listIssueReplays: reads('viewer', (ctx, s) => listIssueReplays(ctx, s.issue, 10)),
  getProjectOutcomeSeries: reads('viewer', (ctx, s) =>
    getProjectOutcomeSeries(ctx, { projectSlugs: [], range: s.range, bucketMs: HOUR_MS }),
  ),
  countTrace: reads('viewer', (ctx) => countTrace(ctx, ids.trace)),
  deleteProjectKey: settings('admin', 'projectkey.remove', async (ctx, s) => {
    const { projectSlug, publicKey } = await s.newKey();
    return deleteProjectKey(ctx, { projectSlug, publicKey });
  }),
};
