import { type Mailer, NO_MAIL_SERVER } from '#delivery/ports/mailer.ts';
import type { AlertReceiver, AlertRule } from '#domain/alerts/alert-rule.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { LOG_DAYS } from '#product/deliveries/delivery-parts.ts';
import type { Destination } from '#product/destinations/destination-store.ts';
import {
  type DeliveryHealth,
  type HealthByRoute,
  judgeReceivers,
  judgeRoute,
  type RouteEvidence,
  type RouteHealth,
  type RuleDelivery,
  worstFirst,
} from './delivery-health.ts';
import { requireAlertRead } from './list-alert-rules.ts';

/** Budgets let a message wait for 15 minutes at most, unless the hourly one of email is used up. */
const WAITING_MS = 20 * MINUTE_MS;
/** Alerts that were not delivered are counted for so long. */
export const UNDELIVERED_MS = DAY_MS;

export type DeliveryReport = HealthByRoute & { rules: ReadonlyMap<number, RuleDelivery> };

type JudgedRule = Pick<AlertRule, 'id' | 'definition'>;

/**
 * Whether messages of the organization arrive, from what deliveries did and whether there is a mail server: by email, at
 * each destination, and of these rules, which the actor is known to see.
 */
export async function getDeliveryHealth(
  ctx: Context,
  mailer: Pick<Mailer, 'isConfigured'>,
  rules: readonly JudgedRule[],
): Promise<DeliveryReport> {
  requireAlertRead(ctx);
  const { accounts, teams, destinations, deliveries } = ctx.stores;
  const organizationId = ctx.organization.id;
  const nowMs = ctx.now();
  const ruleIds = rules.map(({ id }) => id);
  const [users, knownTeams, places, mail, waiting, undelivered, refusals, unnotified] = await Promise.all([
    accounts.listMembers(organizationId),
    teams.list(organizationId),
    destinations.list(organizationId),
    deliveries.findMailOutcomes(organizationId),
    deliveries.listWaiting(organizationId, nowMs - WAITING_MS),
    deliveries.countUndelivered(organizationId, ruleIds, nowMs - UNDELIVERED_MS),
    deliveries.findRefusals(organizationId, ruleIds),
    deliveries.findUnnotified(organizationId, ruleIds, nowMs - (LOG_DAYS - 1) * DAY_MS),
  ]);
  const waitingOf = (id: number | null): RouteEvidence['waiting'] =>
    waiting.find(({ destinationId }) => destinationId === id) ?? null;
  const email: DeliveryHealth = mailer.isConfigured
    ? judgeRoute(
        {
          lastSentAt: mail.lastSentAt,
          failure:
            mail.failedSince === null ? null : { since: mail.failedSince, reason: mail.lastError ?? '' },
          waiting: waitingOf(null),
        },
        nowMs,
      )
    : { status: 'failing', cause: 'no_mail_server', reason: NO_MAIL_SERVER, since: null };
  const routes = {
    email,
    destinations: Object.fromEntries(
      places.map((place) => [place.id, judgeRoute(evidenceOf(place, waitingOf(place.id)), nowMs)]),
    ),
  };
  const known = { users, teams: knownTeams, destinations: places };
  const judgeRule = ({ id, definition: { receivers } }: JudgedRule): RuleDelivery => {
    const firedAt = expectsSomebody(receivers) ? unnotified.get(id) : undefined;
    const refusal = refusals.get(id);
    const failure: Failure | undefined =
      firedAt === undefined
        ? refusal && { status: 'failing', cause: 'error', ...refusal }
        : { status: 'failing', cause: 'nobody', reason: NOBODY, since: firedAt };
    return {
      routes: withFailure(judgeReceivers(known, receivers, routes), failure),
      undelivered: undelivered.get(id) ?? 0,
    };
  };
  return { ...routes, rules: new Map(rules.map((rule) => [rule.id, judgeRule(rule)])) };
}

type Failure = Extract<DeliveryHealth, { status: 'failing' }>;

const NOBODY =
  'No one was notified the last time: each recipient has turned alert emails off or cannot see the project';

/** Owners alone are notified only of issues that somebody owns. */
const expectsSomebody = (receivers: readonly AlertReceiver[]): boolean =>
  !receivers.some((receiver) => receiver.kind === 'owners' && receiver.otherwise === 'nobody');

const evidenceOf = (
  { lastSentAt, failingSince, lastError }: Destination,
  waiting: RouteEvidence['waiting'],
): RouteEvidence => ({
  lastSentAt,
  failure: failingSince === null ? null : { since: failingSince, reason: lastError ?? '' },
  waiting,
});

/** Email that works for others may fail for a rule: a recipient is refused, or none wants it. */
const withFailure = (routes: readonly RouteHealth[], health: Failure | undefined): readonly RouteHealth[] =>
  worstFirst(
    routes.map((each) =>
      health && each.route.kind === 'email' && each.health.status !== 'failing' ? { ...each, health } : each,
    ),
  );
