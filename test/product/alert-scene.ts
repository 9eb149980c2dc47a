import { randomBytes } from 'node:crypto';
import type { AlertRule, IssueAlert } from '#domain/alerts/alert-rule.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { AlertRulesTable } from '#ingest/alert-rules-table.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createLog } from '#lib/log.ts';
import { createAlertRule } from '#product/alerts/change-alert-rules.ts';
import { ENTRIES_PER_BATCH, evaluateOutbox } from '#product/alerts/evaluate/evaluate-outbox.ts';
import { CountMemory } from '#product/alerts/evaluate/judge-counts.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { makeEvent, NOON_MS } from '../contract/sample-events.ts';
import { type NewEvent, openProduct } from './open-product.ts';

export type AlertScene = Awaited<ReturnType<typeof openAlertScene>>;

/** An organization with the project `web`, digest as it runs with rules of alerts, and the worker at hand. */
export async function openAlertScene() {
  const product = await openProduct();
  const { stores, clock } = product;
  const log = createLog('test', 'fatal');
  const table = new AlertRulesTable(stores.alertRules, log, () => clock.nowMs);
  const openDigest = () =>
    createDigestStore(product.db, undefined, (event) => table.findHits(event.projectId, event));
  let digest = openDigest();
  const mine = await product.createOrganization();
  const web = await product.createProject(mine, 'web');
  const owner = await product.join(mine, 'owner');
  // Rules count for what comes after them.
  clock.nowMs = NOON_MS;

  /** Events that arrive now, digested one batch after the other. */
  async function happen(...inputs: readonly Partial<NewEvent>[]): Promise<void> {
    await table.load();
    const made = inputs.map((input) =>
      makeEvent({
        organizationId: mine.id,
        projectId: web.id,
        occurredAt: clock.nowMs,
        receivedAt: clock.nowMs,
        ...input,
      }),
    );
    await stores.events.insertEvents(made, randomBytes(8).toString('hex'));
    const spoolId = randomBytes(8).toString('hex');
    await digest.assign({ spoolId, from: 0, to: made.length }, made, [], [], clock.nowMs);
  }

  const counts = new CountMemory();
  const evaluate = (other: Partial<typeof stores> = {}) =>
    evaluateOutbox(
      {
        stores: { ...stores, ...other },
        faults: parseFaultPoints(null),
        log,
        now: () => clock.nowMs,
        counts,
      },
      ENTRIES_PER_BATCH,
    );

  const later = (ms: number) => {
    clock.nowMs += ms;
  };

  const rule = async (
    definition: Partial<IssueAlert> = {},
    other: { environment?: string; projectSlug?: string } = {},
  ): Promise<AlertRule> => {
    const created = await createAlertRule(owner, {
      projectSlug: 'web',
      name: `Rule ${randomBytes(3).toString('hex')}`,
      environment: null,
      owner: null,
      definition: {
        kind: 'issue',
        triggers: ['first_seen'],
        filters: [],
        filterMatch: 'all',
        frequencyMinutes: 30,
        receivers: [{ kind: 'user', userId: owner.userId }],
        ...definition,
      },
      ...other,
    });
    return created.rule;
  };

  /** Causes of what a rule fired for, oldest first. */
  const causesOf = async (ruleId: number): Promise<readonly string[]> =>
    (await firingsOf(ruleId)).map(({ cause }) => cause);

  const firingsOf = async (ruleId: number) =>
    (await stores.alertRules.listFirings(mine.id, [ruleId], { limit: 100, before: null })).toReversed();

  /** Who is told of firings of the rule, each receiver once for each message that it joined. */
  const notifiedBy = async (ruleId: number): Promise<readonly string[]> => {
    const ids = (await firingsOf(ruleId)).map(({ id }) => id);
    const deliveries = await stores.deliveries.findByFirings(mine.id, ids, null);
    return [...deliveries.values()]
      .flat()
      .map(({ receiver }) =>
        receiver.kind === 'user' ? receiver.userId : `destination ${receiver.destinationId}`,
      )
      .sort();
  };

  const listIssues = async (): Promise<readonly Issue[]> => {
    const options = { sort: 'new', limit: 100, after: null } as const;
    return (await stores.issues.search(mine.id, [web.id], EVERYTHING, options)).issues;
  };

  return {
    product,
    stores,
    clock,
    mine,
    web,
    owner,
    happen,
    /** It begins without what it remembered. */
    restartDigest: async () => {
      digest = openDigest();
    },
    evaluate,
    later,
    rule,
    causesOf,
    firingsOf,
    notifiedBy,
    listIssues,
    close: () => product.close(),
  };
}
