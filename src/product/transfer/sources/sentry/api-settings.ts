import { UPTIME_METHODS } from '#domain/uptime/monitor.ts';
import type { TransferRecord } from '../../records.ts';
import { numberOf, textOf } from '../foreign-values.ts';
import { arrayOf, objectOf } from '../json-values.ts';
import { emailOf } from '../people.ts';
import { unmapped } from '../unmapped.ts';
import { type ApiOrganization, ifThere, listObjects } from './api-organization.ts';
import type { SentryRequests } from './api-requests.ts';
import { monitorRecord } from './monitor-records.ts';
import { ownerOf } from './people-of-sentry.ts';
import { issueRuleRecords, metricRuleRecords } from './rule-records.ts';
import { savedSearchRecord } from './saved-searches.ts';
import type { SentryApi } from './sentry-api.ts';

type Read = (
  api: SentryApi,
  requests: SentryRequests,
  organization: ApiOrganization,
) => AsyncGenerator<TransferRecord>;

const NOT_THERE = 'This server has none: its version is older';
const INTERVAL_SECONDS_MAX = 3_600;

export const ruleRecords: Read = async function* (api, requests, { projects, people }) {
  for (const project of projects) {
    for (const rule of (await ifThere(() => listObjects(api, requests.rules(String(project.slug))))) ?? []) {
      yield* issueRuleRecords(rule, String(project.id), people);
    }
  }
  const ids = new Map(projects.map(({ slug, id }) => [String(slug), String(id)]));
  for (const rule of (await ifThere(() => listObjects(api, requests.metricRules))) ?? []) {
    const of = arrayOf(rule.projects).flatMap((slug) => ids.get(String(slug)) ?? []);
    yield* metricRuleRecords(rule, of, people);
  }
};

export const savedSearchRecords: Read = async function* (api, requests) {
  const searches = await ifThere(() => listObjects(api, requests.searches));
  if (searches === null) yield unmapped('saved_search', 'searches', 'Saved searches', NOT_THERE);
  for (const search of searches ?? []) {
    // Those that Sentry itself offers.
    if (search.isGlobal === true) continue;
    yield savedSearchRecord(search, null);
  }
};

export const monitorRecords: Read = async function* (api, requests, { projects, people }) {
  const chosen = new Set(projects.map(({ id }) => String(id)));
  const monitors = await ifThere(() => listObjects(api, requests.monitors));
  if (monitors === null) yield unmapped('monitor', 'monitors', 'Cron monitors', NOT_THERE);
  for (const monitor of monitors ?? []) {
    const project = String(objectOf(monitor.project)?.id);
    if (!chosen.has(project)) continue;
    yield monitorRecord(monitor, { id: String(monitor.id), project, owner: actorOf(monitor.owner) }, people);
  }
};

/** `user:12`, from an object or a text. */
function actorOf(owner: unknown): string | null {
  const actor = objectOf(owner);
  return actor ? `${actor.type}:${actor.id}` : textOf(owner);
}

export const uptimeRecords: Read = async function* (api, requests, { projects, people }) {
  const ids = new Map(projects.map(({ slug, id }) => [String(slug), String(id)]));
  const monitors = await ifThere(() => listObjects(api, requests.uptime));
  if (monitors === null) yield unmapped('uptime_monitor', 'uptime', 'Uptime monitors', NOT_THERE);
  for (const monitor of monitors ?? []) {
    const project = ids.get(String(monitor.projectSlug));
    const url = textOf(monitor.url);
    if (project === undefined || url === null) continue;
    yield {
      kind: 'uptime_monitor',
      id: String(monitor.id),
      project,
      name: textOf(monitor.name) ?? url,
      url,
      intervalSeconds: Math.min(Math.max(1, numberOf(monitor.intervalSeconds)), INTERVAL_SECONDS_MAX),
      environment: textOf(monitor.environment),
      owner: ownerOf(actorOf(monitor.owner), people),
      isEnabled: monitor.status !== 'disabled',
      headerNames: arrayOf(monitor.headers).flatMap((header) => textOf(arrayOf(header)[0]) ?? []),
      definition: {
        method: UPTIME_METHODS.find((method) => method === monitor.method) ?? 'GET',
        body: textOf(monitor.body, 10_000),
        timeoutSeconds: Math.min(60, Math.max(1, Math.round(numberOf(monitor.timeoutMs) / 1_000))),
      },
    };
  }
};

export const dashboardRecords: Read = async function* (api, requests) {
  for (const { id } of (await ifThere(() => listObjects(api, requests.dashboards))) ?? []) {
    // Those that Sentry itself offers have names for numbers, and no widgets of their own.
    if (!/^\d+$/.test(String(id))) continue;
    const content = objectOf(await ifThere(() => api.get(requests.dashboard(String(id)))));
    if (!content) continue;
    const createdBy = emailOf(objectOf(content.createdBy)?.email);
    yield { kind: 'dashboard', id: String(id), format: 'sentry', createdBy, content: { ...content } };
  }
};

/** What tokens of the API do not reach. */
export function* unmappedRecords(): Generator<TransferRecord> {
  yield unmapped(
    'attachment',
    'attachments',
    'Attachments',
    'Attachments, replays, profiles, spans and logs are not read',
  );
  yield unmapped(
    'source_map',
    'source-maps',
    'Source maps',
    'Upload them again with your next build; events keep the frames that Sentry resolved',
  );
  yield unmapped('token', 'tokens', 'Tokens', 'Tokens are secrets: create new ones');
  yield unmapped(
    'destination',
    'integrations',
    'Integrations',
    'Connect chats, pagers and trackers anew: their credentials are secrets',
  );
}
