import { notFound } from '#lib/errors.ts';
import type { TransferRecord } from '../../records.ts';
import type { ReadOptions, TransferSource } from '../../transfer-source.ts';
import { readSteps, type SourceStep } from '../read-steps.ts';
import { readEvents } from './api-events.ts';
import { readIssues } from './api-issues.ts';
import {
  type ApiOrganization,
  environmentRecords,
  ifThere,
  memberRecords,
  organizationRecord,
  projectRecords,
  readOrganization,
  teamRecords,
} from './api-organization.ts';
import { readReleases } from './api-releases.ts';
import { requestsOf, type SentryRequests } from './api-requests.ts';
import {
  dashboardRecords,
  monitorRecords,
  ruleRecords,
  savedSearchRecords,
  unmappedRecords,
  uptimeRecords,
} from './api-settings.ts';
import type { SentryApi, SentryRequest } from './sentry-api.ts';

/** One organization of a Sentry server by its API. Throws as the API does when something is requested. */
export function openSentrySource(api: SentryApi, organization: string): TransferSource {
  const requests = requestsOf(organization);
  return {
    name: `Sentry at ${api.origin}, organization ${organization}`,
    key: `sentry ${api.origin} ${organization}`.slice(0, 500),
    async *read(options) {
      const of = await readOrganization(api, requests, options.projects);
      await checkScopes(api, requests, of, options);
      yield* readSteps(stepsOf(api, requests, of, options), options);
    },
    openFile: async (path) => {
      throw notFound(`Sentry has no file ${path}`);
    },
    close: async () => {},
  };
}

/** One request of each kind, so that a scope that is missing is told now, and not after the hours that events take. */
async function checkScopes(
  api: SentryApi,
  requests: SentryRequests,
  { projects }: ApiOrganization,
  { kinds }: Pick<ReadOptions, 'kinds'>,
): Promise<void> {
  const [project] = projects;
  const needed: readonly (SentryRequest | false | undefined)[] = [
    kinds.has('release') && requests.releases,
    kinds.has('event') && project && requests.events(String(project.slug)),
    kinds.has('issue') && project && requests.issues(String(project.id)),
    kinds.has('alert_rule') && requests.metricRules,
    kinds.has('uptime_monitor') && requests.uptime,
  ];
  for (const request of needed) {
    if (!request) continue;
    await ifThere(() => api.page({ ...request, query: { ...request.query, per_page: '1' } }, null));
  }
}

function stepsOf(
  api: SentryApi,
  requests: SentryRequests,
  of: ApiOrganization,
  options: ReadOptions,
): readonly SourceStep[] {
  return [
    { kind: 'organization', read: () => streamOf([organizationRecord(of)]) },
    { kind: 'member', read: () => streamOf(memberRecords(of)) },
    { kind: 'team', read: () => streamOf(teamRecords(of)) },
    { kind: 'project', read: () => projectRecords(api, requests, of) },
    { kind: 'environment', read: () => environmentRecords(api, requests, of) },
    { kind: 'release', read: (after) => readReleases(api, requests, of, after) },
    { kind: 'event', read: (after) => readEvents(api, requests, of, options, after) },
    { kind: 'issue', read: (after) => readIssues(api, requests, of, options, after) },
    { kind: 'alert_rule', read: () => ruleRecords(api, requests, of) },
    { kind: 'saved_search', read: () => savedSearchRecords(api, requests, of) },
    { kind: 'monitor', read: () => monitorRecords(api, requests, of) },
    { kind: 'uptime_monitor', read: () => uptimeRecords(api, requests, of) },
    { kind: 'dashboard', read: () => dashboardRecords(api, requests, of) },
    { kind: 'unmapped', read: () => streamOf(unmappedRecords()) },
  ];
}

async function* streamOf(records: Iterable<TransferRecord>): AsyncGenerator<TransferRecord> {
  yield* records;
}
