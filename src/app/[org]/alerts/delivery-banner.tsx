import { DeliveryProblem, routeName } from '#app/[org]/delivery-health.tsx';
import type { RouteHealth, RuleDelivery } from '#product/alerts/delivery-health.ts';
import type { ReceiverNames } from '#product/alerts/describe-receiver.ts';
import type { AlertRuleRow } from '#product/alerts/list-alert-rules.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';

const PROBLEMS_SHOWN = 5;

/** Which enabled rules cannot notify someone, and why, with a link to what mends it; nothing when all can. */
export function DeliveryBanner({
  organizationSlug,
  rows,
  rules,
  known,
  now,
}: {
  organizationSlug: string;
  rows: readonly AlertRuleRow[];
  rules: ReadonlyMap<number, RuleDelivery>;
  known: ReceiverNames;
  now: number;
}) {
  const failing = rows.flatMap(({ rule }) => {
    const routes = rules.get(rule.id)?.routes.filter(({ health }) => health.status === 'failing') ?? [];
    return rule.isEnabled && routes.length > 0 ? [{ rule, routes }] : [];
  });
  if (failing.length === 0) return null;
  // A removed recipient is a problem of its rule, any other one of all rules that notify there.
  const problems = new Map<string, { routeHealth: RouteHealth; ruleId: number; ruleName: string | null }>();
  for (const { rule, routes } of failing) {
    for (const routeHealth of routes) {
      const { route, health } = routeHealth;
      const isOfRule = health.status === 'failing' && health.cause === 'removed';
      const key = isOfRule ? `rule ${rule.id}` : JSON.stringify([route, health]);
      problems.set(key, { routeHealth, ruleId: rule.id, ruleName: isOfRule ? rule.name : null });
    }
  }
  const shown = [...problems].slice(0, PROBLEMS_SHOWN);
  return (
    <div className="mb-4">
      <Notice
        tone="danger"
        title={
          failing.length === 1
            ? '1 rule can’t deliver its notifications'
            : `${formatPlural(failing.length, 'rule')} can’t deliver their notifications`
        }
      >
        <ul className="flex flex-col gap-0.5">
          {shown.map(([key, { routeHealth, ruleId, ruleName }]) => (
            <li key={key}>
              <bdi className="font-medium">{ruleName ?? routeName(known, routeHealth.route)}</bdi>:{' '}
              <DeliveryProblem
                organizationSlug={organizationSlug}
                routeHealth={routeHealth}
                ruleId={ruleId}
                now={now}
              />
            </li>
          ))}
          {problems.size > shown.length ? (
            <li>and {formatPlural(problems.size - shown.length, 'more problem')}</li>
          ) : null}
        </ul>
      </Notice>
    </div>
  );
}
