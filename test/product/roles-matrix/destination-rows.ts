import { listDeliveries } from '#product/deliveries/deliveries.ts';
import { testDestination } from '#product/deliveries/send-test.ts';
import {
  addDestination,
  getDestination,
  listDestinations,
  removeDestination,
  updateDestination,
} from '#product/destinations/destinations.ts';
import { NOON_MS } from '../../contract/sample-events.ts';
import { type ApiRequest, type ApiRow, row } from './api-row.ts';
import { reads, settings, type VerbRow } from './rows.ts';
import type { MatrixScene } from './scene.ts';

const ORG = 'organizations/[org]';
const FIELDS = { url: 'https://hooks.example.com/services/T/B/x' };
export const SENDER = { send: async () => ({ kind: 'sent' as const, status: 200 }) };

export const newDestination = async (s: MatrixScene): Promise<number> => {
  const draft = {
    kind: 'slack' as const,
    name: s.unique(),
    config: { host: 'hooks.example.com' },
    secret: FIELDS,
  };
  return (await s.product.stores.destinations.add(s.mine.id, draft, null, NOON_MS)).id;
};

export const DESTINATION_CHANGES: Readonly<Record<string, VerbRow>> = {
  addDestination: settings('manager', 'destination.add', (ctx, s) =>
    addDestination(ctx, { kind: 'slack', name: s.unique(), fields: FIELDS }),
  ),
  updateDestination: settings('manager', 'destination.edit', async (ctx, s) =>
    updateDestination(ctx, { destinationId: await newDestination(s), name: s.unique(), fields: {} }),
  ),
  removeDestination: settings('manager', 'destination.remove', async (ctx, s) =>
    removeDestination(ctx, await newDestination(s)),
  ),
  testDestination: settings('manager', 'destination.test', async (ctx, s) =>
    testDestination(ctx, SENDER, await newDestination(s)),
  ),
};

export const DESTINATION_READS: Readonly<Record<string, VerbRow>> = {
  listDestinations: reads('viewer', (ctx) => listDestinations(ctx)),
  getDestination: reads('viewer', async (ctx, s) => getDestination(ctx, await newDestination(s))),
  listDeliveries: reads('viewer', (ctx) =>
    listDeliveries(ctx, { destinationId: null, ruleId: null, limit: 10, cursor: null }),
  ),
};

const ofDestination = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { destination: String(await newDestination(s)) },
  body: { name: s.unique() },
});

export const DESTINATION_ROWS: Readonly<Record<string, ApiRow>> = {
  [`POST ${ORG}/destinations`]: row('manager', (s) => ({
    body: { kind: 'slack', name: s.unique(), fields: FIELDS },
  })),
  [`GET ${ORG}/destinations/[destination]`]: row('viewer', ofDestination),
  [`PUT ${ORG}/destinations/[destination]`]: row('manager', ofDestination),
  [`DELETE ${ORG}/destinations/[destination]`]: row('manager', ofDestination),
  [`POST ${ORG}/destinations/[destination]/test`]: row('manager', ofDestination),
  [`GET ${ORG}/destinations/[destination]/deliveries`]: row('viewer', (s) => ({
    params: { destination: String(s.destinationId) },
  })),
};
