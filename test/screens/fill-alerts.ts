import { ALERT_SCOPES, addRule, openDestination } from '../harness/alert-destinations.ts';
import { type ApiClient, createApiClient } from '../harness/api-client.ts';
import type { ErrataServer } from '../harness/start-errata.ts';

export const SHOP_RULE = 'New errors of the shop';

/**
 * Destinations at services of this machine, and rules of the project `web` that tell them what comes next. Answers how to
 * end the services.
 */
export async function openAlerts(server: ErrataServer): Promise<() => Promise<void>> {
  const api = createApiClient(server.url, await server.token(ALERT_SCOPES));
  const chat = await openDestination(api, 'slack', 'Team chat');
  const pager = await openDestination(api, 'pagerduty', 'On call');
  const hook = await openDestination(api, 'webhook', 'Status page');
  await addRule(api, 'web', [chat.id, hook.id], {
    name: SHOP_RULE,
    filters: [{ id: 'sentry.rules.filters.level.LevelFilter', match: 'gte', level: '40' }],
  });
  await addMetricRule(api, pager.id);
  // From here on one of them is away, as happens.
  await hook.service.close();
  return async () => {
    await Promise.all([chat.service.close(), pager.service.close()]);
  };
}

async function addMetricRule(api: ApiClient, destinationId: string): Promise<void> {
  const { status, body } = await api.request('POST', '/api/0/organizations/main/alert-rules/', {
    name: 'Many errors in an hour',
    projects: ['web'],
    aggregate: 'count()',
    query: '',
    timeWindow: 60,
    thresholdType: 0,
    triggers: [
      {
        label: 'critical',
        alertThreshold: 12,
        actions: [{ type: 'pagerduty', targetType: 'specific', targetIdentifier: destinationId }],
      },
      { label: 'warning', alertThreshold: 8 },
    ],
  });
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
}
