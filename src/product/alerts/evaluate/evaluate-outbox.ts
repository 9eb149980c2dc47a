import { ISSUE_QUIET_MS } from '#domain/alerts/delivery-budgets.ts';
import { isErrataError } from '#lib/errors.ts';
import type { FaultPoints } from '#lib/fault-points.ts';
import type { Log } from '#lib/log.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Owner } from '#product/ownership/resolve-owner.ts';
import type { Stores } from '#product/stores.ts';
import { type IssueRule, isIssueRule, isSnoozed } from '../alert-definition.ts';
import type { IssueFiring, OutboxEntry } from '../alert-outbox.ts';
import { type AlertCase, openCase } from './alert-case.ts';
import { type JudgeParts, judgeCases, visitCaseEvents } from './judge-cases.ts';
import { loadAudience, openOwners, type ReceiverStores, resolveReceivers } from './receivers.ts';

/** As many issues as are counted with one look. */
export const ENTRIES_PER_BATCH = 1_000;
/** Of one transaction: each is a row for its message. */
const RECEIVERS_PER_TRANSACTION_MAX = 20_000;
/** For what a batch asks of many events; an organization takes at most half of what is left. */
const ASKING_MS_MAX = 30_000;

export type EvaluateParts = Omit<JudgeParts, 'hasTime'> & {
  stores: JudgeParts['stores'] & ReceiverStores & Pick<Stores, 'alertRules' | 'issues'>;
  faults: FaultPoints;
  log: Log;
  now: () => number;
};

/**
 * Looks at the oldest entries that wait with the rules of their projects, at most `limit` (up to ENTRIES_PER_BATCH), and
 * finishes them, but for those that there was no time to count for: they wait some minutes. Answers how many there were.
 * What cannot be judged for a reason of its own is set aside alone; that a store is away throws ErrataError `unavailable`,
 * and leaves what was not finished as it was.
 */
export async function evaluateOutbox(parts: EvaluateParts, limit: number): Promise<number> {
  const entries = await parts.stores.alertOutbox.take(limit);
  await finishOrSplit({ ...parts, untilMs: parts.now() + ASKING_MS_MAX }, entries);
  return entries.length;
}

type BatchParts = EvaluateParts & { untilMs: number };

/** One entry that fails must not block those behind it: it is found by bisection. */
async function finishOrSplit(
  parts: BatchParts,
  entries: readonly OutboxEntry[],
  isLastTry = false,
): Promise<void> {
  if (entries.length === 0) return;
  try {
    await finishBatch(parts, entries);
  } catch (error) {
    if (isErrataError(error) && error.code === 'unavailable') throw error;
    const [first] = entries;
    if (entries.length === 1 && first) {
      // Somebody may have deleted what it names in that moment.
      if (!isLastTry) return await finishOrSplit(parts, entries, true);
      parts.log.error(
        {
          entryId: first.id,
          projectId: first.projectId,
          error: String(error),
          stack: (error as Error).stack,
        },
        'An outbox entry could not be evaluated and was dropped; no one is notified',
      );
      await parts.stores.alertOutbox.finish([first], [], parts.now(), ISSUE_QUIET_MS);
      return;
    }
    const middle = Math.ceil(entries.length / 2);
    await finishOrSplit(parts, entries.slice(0, middle));
    await finishOrSplit(parts, entries.slice(middle));
  }
}

async function finishBatch(parts: BatchParts, entries: readonly OutboxEntry[]): Promise<void> {
  const { stores, faults, now } = parts;
  const nowMs = now();
  const projectIds = [...new Set(entries.map(({ projectId }) => projectId))];
  const rules = (await stores.alertRules.listIssueRules(projectIds)).filter(isIssueRule);
  const pairs = pairUp(entries, rules, nowMs);
  const firings: IssueFiring[] = [];
  const held = new Set<number>();
  for (const [organizationId, group] of Map.groupBy(pairs, ({ rule }) => rule.organizationId)) {
    const found = await fireInOrganization(withTime(parts), organizationId, group, nowMs);
    for (const firing of found.firings) firings.push(firing);
    for (const id of found.held) held.add(id);
  }
  faults.reach('alerts-evaluated');
  let fired = 0;
  const settled = entries.filter(({ id }) => !held.has(id));
  for (const part of cutByReceivers(settled, firings)) {
    fired += await stores.alertOutbox.finish(part.entries, part.firings, now(), ISSUE_QUIET_MS);
  }
  faults.reach('alerts-finished');
  if (fired > 0) parts.log.info({ entries: entries.length, fired }, 'Alert rules were triggered');
}

function withTime(parts: BatchParts): OrganizationParts {
  const { now, untilMs } = parts;
  const beginMs = now();
  const endMs = beginMs + (untilMs - beginMs) / 2;
  return { ...parts, hasTime: () => now() < endMs };
}

type OrganizationParts = EvaluateParts & JudgeParts;

type FinishPart = { entries: OutboxEntry[]; firings: IssueFiring[] };

/** Entries in their order, with what they fire; an entry that alone exceeds the bound of receivers is a part of its own. */
function cutByReceivers(
  entries: readonly OutboxEntry[],
  firings: readonly IssueFiring[],
): readonly FinishPart[] {
  const byEntry = Map.groupBy(firings, ({ entryId }) => entryId);
  const parts: FinishPart[] = [];
  let room = 0;
  for (const one of entries) {
    const own = byEntry.get(one.id) ?? [];
    const receivers = own.reduce((sum, firing) => sum + firing.receivers.length, 0);
    if (parts.length === 0 || receivers > room) {
      parts.push({ entries: [], firings: [] });
      room = RECEIVERS_PER_TRANSACTION_MAX;
    }
    room -= receivers;
    parts.at(-1)?.entries.push(one);
    parts.at(-1)?.firings.push(...own);
  }
  return parts;
}

type Pair = { entry: OutboxEntry; rule: IssueRule };

/** What each entry may concern: of rules that existed when it arrived and are not snoozed. */
function pairUp(
  entries: readonly OutboxEntry[],
  rules: readonly IssueRule[],
  nowMs: number,
): readonly Pair[] {
  const byProject = Map.groupBy(
    rules.filter((rule) => !isSnoozed(rule, nowMs)),
    ({ projectId }) => projectId,
  );
  return entries.flatMap((one) =>
    (byProject.get(one.projectId) ?? [])
      .filter(
        (rule) =>
          rule.createdAt <= one.createdAt &&
          rule.definition.triggers.includes(one.kind) &&
          (one.hit === null || one.hit.ruleId === rule.id),
      )
      .map((rule) => ({ entry: one, rule })),
  );
}

async function fireInOrganization(
  parts: OrganizationParts,
  organizationId: number,
  pairs: readonly Pair[],
  nowMs: number,
): Promise<{ firings: readonly IssueFiring[]; held: ReadonlySet<number> }> {
  const { stores } = parts;
  const loud = await keepLoud(stores, pairs);
  const issueIds = [...new Set(loud.map(({ entry }) => entry.issueId))];
  if (issueIds.length === 0) return NOTHING;
  const issues = new Map(
    (await stores.issues.findByIds(organizationId, issueIds))
      // Whoever closed an issue wants to hear of it when it comes back, and not before.
      .filter(({ status }) => status === 'unresolved')
      .map((issue) => [issue.id, issue]),
  );
  const cases = loud.flatMap(({ entry, rule }) => {
    const issue = issues.get(entry.issueId);
    return issue ? openCase(entry, rule, issue) : [];
  });
  if (cases.length === 0) return NOTHING;
  const hashes = await stores.issues.listHashes(organizationId, [...issues.keys()]);
  const { fired, eventIds, held } = await judgeCases(parts, organizationId, cases, hashes, nowMs);
  if (fired.length === 0) return { firings: [], held };
  const audience = await loadAudience(
    stores,
    organizationId,
    fired.map(({ issue }) => issue.projectId),
  );
  if (!audience) return NOTHING;
  const owners = await findCaseOwners(parts, audience, fired, hashes);
  const firings = fired.map((one): IssueFiring => {
    const { entry, rule, issue } = one;
    return {
      entryId: entry.id,
      ruleId: rule.id,
      organizationId,
      projectId: issue.projectId,
      issueId: issue.id,
      eventId: entry.eventId ?? eventIds.get(entry.id) ?? null,
      cause: entry.kind,
      firedAt: entry.createdAt,
      quietSinceMs: quietSince(one),
      receivers: resolveReceivers(audience, rule.definition.receivers, issue.projectId, {
        issue,
        owners: owners.get(entry.id) ?? [],
      }),
    };
  });
  return { firings, held };
}

const NOTHING = { firings: [], held: new Set<number>() };

/**
 * Leaves out what a rule would be quiet about anyway: nothing more is asked about it. What came back may open the incident
 * of a pager again, whenever the rule fired.
 */
async function keepLoud(
  { alertOutbox }: Pick<Stores, 'alertOutbox'>,
  pairs: readonly Pair[],
): Promise<readonly Pair[]> {
  const last = await alertOutbox.findLastFired(
    pairs.map(({ entry, rule }) => ({ ruleId: rule.id, issueId: entry.issueId })),
  );
  return pairs.filter((pair) => {
    const lastAt = last.get(`${pair.rule.id}:${pair.entry.issueId}`);
    return lastAt === undefined || lastAt <= quietSince(pair) || mayOpenAgain(pair);
  });
}

const mayOpenAgain = ({ entry, rule }: Pair): boolean =>
  (entry.kind === 'regression' || entry.kind === 'escalation') &&
  rule.definition.receivers.some(({ kind }) => kind === 'destination');

const quietSince = ({ entry, rule }: Pair): number =>
  entry.createdAt - rule.definition.frequencyMinutes * MINUTE_MS;

/** Of issues that belong to nobody and whose rule notifies the owners, by the id of the entry. */
async function findCaseOwners(
  parts: EvaluateParts,
  audience: Parameters<typeof openOwners>[1],
  fired: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
): Promise<ReadonlyMap<number, readonly Owner[]>> {
  const found = openOwners(parts.stores, audience);
  const asking: AlertCase[] = [];
  for (const one of fired) {
    const { issue, rule } = one;
    const asks = rule.definition.receivers.some(({ kind }) => kind === 'owners');
    const isAssigned = issue.assignee !== null || issue.assigneeTeam !== null;
    if (asks && !isAssigned && (await found.hasRules(issue.projectId))) asking.push(one);
  }
  const owners = new Map<number, readonly Owner[]>();
  await visitCaseEvents(parts, audience.organization.id, asking, hashes, true, async ([first], event) => {
    if (first && event) owners.set(first.entry.id, await found.find(first.issue.projectId, event));
  });
  return owners;
}
