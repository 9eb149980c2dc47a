import { DeliveryProblems, type Problem, routeName } from '#app/[org]/delivery-health.tsx';
import { visibleText } from '#lib/visible-text.ts';
import type { RuleDelivery } from '#product/alerts/delivery-health.ts';
import type { ReceiverNames } from '#product/alerts/describe-receiver.ts';
import type { AlertRuleRow } from '#product/alerts/list-alert-rules.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';

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
  // Whom a rule names is a problem of that rule, any other one of all rules that notify there.
  const problems = new Map<string, Problem>();
  for (const { rule, routes } of failing) {
    for (const routeHealth of routes) {
      const { route, health } = routeHealth;
      const isOfRule = health.status === 'failing' && ['removed', 'nobody'].includes(health.cause);
      const key = isOfRule ? `rule ${rule.id}` : JSON.stringify([route, health]);
      const name = isOfRule ? visibleText(rule.name) : routeName(known, route);
      problems.set(key, { key, name, routeHealth, ruleId: rule.id });
    }
  }
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
        <DeliveryProblems organizationSlug={organizationSlug} problems={[...problems.values()]} now={now} />
      </Notice>
    </div>
  );
}
