import { joinDeliveries } from '#product/deliveries/store/join-deliveries.ts';
import { insertFiring, insertRule } from '../../contract/alert-scene.ts';
import { NOON_MS } from '../../contract/sample-events.ts';
import type { Filled } from '../fill-telemetry.ts';

/** A rule of `web` that fired, and the message of it to a destination of the organization, which it answers. */
export async function fireRule({
  product,
  mine,
  web,
  issue,
}: Pick<Filled, 'product' | 'mine' | 'web' | 'issue'>): Promise<{ destinationId: number }> {
  const { db, stores } = product;
  const rule = { organizationId: mine.id, projectId: web.id };
  const ruleId = await insertRule(db, rule, { name: 'Hidden rule' });
  const firingId = await insertFiring(db, { ...rule, ruleId }, { issueId: issue.id });
  const draft = {
    kind: 'slack',
    name: 'Chat',
    config: {},
    secret: { url: 'https://hooks.example.com/x' },
  } as const;
  const { id } = await stores.destinations.add(mine.id, draft, null, NOON_MS);
  await joinDeliveries(
    db,
    [{ firingId, organizationId: mine.id, receiver: { kind: 'destination', destinationId: id } }],
    NOON_MS,
  );
  return { destinationId: id };
}
