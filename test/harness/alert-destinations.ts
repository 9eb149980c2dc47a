import { DESTINATION_KINDS, type DestinationKind } from '#product/destinations/destination-kinds.ts';
import type { ApiClient } from './api-client.ts';
import { SERVICES } from './check-formats.ts';
import { type FakeService, startFakeService } from './fake-services.ts';

/** Of a token that makes destinations and rules. */
export const ALERT_SCOPES =
  'org:read,project:read,project:write,event:read,event:write,event:admin,alerts:read,alerts:write,org:integrations';

/** From an event that is answered to a message that arrived, on a machine that does other things too. */
export const ARRIVAL_MS_MAX = 20_000;

export type OpenDestination = { id: string; kind: DestinationKind; service: FakeService };

/** A destination at a server of this machine that takes messages as the service does. */
export async function openDestination(
  api: ApiClient,
  kind: DestinationKind,
  name = `${kind} ${Math.random().toString(36).slice(2)}`,
): Promise<OpenDestination> {
  const { check, success, fields } = SERVICES[kind];
  const service = await startFakeService(check, success);
  const draft = { kind, name, fields: fields(service.url) };
  const saved = await api.request('POST', '/api/0/organizations/main/destinations/', draft);
  if (saved.status !== 201) throw new Error(`${saved.status}: ${JSON.stringify(saved.body)}`);
  return { id: (saved.body as { id: string }).id, kind, service };
}

/** One of each kind. */
export const openAllDestinations = (api: ApiClient): Promise<OpenDestination[]> =>
  Promise.all(DESTINATION_KINDS.map((kind) => openDestination(api, kind)));

const NEW_ISSUE = 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition';
const SERVICE = 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction';

/** A rule of a project that tells of new issues; answers its id. */
export async function addRule(
  api: ApiClient,
  slug: string,
  destinationIds: readonly string[],
  extra: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const rule = {
    name: 'Tell of new issues',
    conditions: [{ id: NEW_ISSUE }],
    filters: [],
    actionMatch: 'any',
    filterMatch: 'all',
    frequency: 30,
    actions: destinationIds.map((service) => ({ id: SERVICE, service })),
    ...extra,
  };
  const made = await api.request('POST', `/api/0/projects/main/${slug}/rules/`, rule);
  if (made.status >= 300) throw new Error(`${made.status}: ${JSON.stringify(made.body)}`);
  return (made.body as { id: string }).id;
}

/** Those that a project begins with tell its members by mail; a test that counts messages does without. */
export async function removeRules(api: ApiClient, slug: string): Promise<void> {
  const path = `/api/0/projects/main/${slug}/rules/`;
  for (const { id } of await api.list<{ id: string }>(path)) {
    const { status } = await api.request('DELETE', `${path}${id}/`);
    if (status >= 300) throw new Error(`DELETE ${path}${id}/ answered ${status}`);
  }
}
