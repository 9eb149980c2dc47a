import { TestButton } from '#app/[org]/alerts/test-button.tsx';
import { DeliveryBadge, DeliveryProblems, routeName } from '#app/[org]/delivery-health.tsx';
import type { DeliveryRoute, RuleDelivery } from '#product/alerts/delivery-health.ts';
import type { AlertReceivers } from '#product/alerts/list-alert-rules.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';

/** Why alerts of the rule do not arrive; nothing while they do. */
export function RuleDeliveryNotice({
  organizationSlug,
  ruleId,
  delivery: { routes },
  known,
  now,
}: Omit<Parameters<typeof RuleDeliveryFacts>[0], 'canTest'>) {
  const problems = routes
    .filter(({ health: { status } }) => status === 'failing' || status === 'delayed')
    .map((routeHealth) => ({
      key: keyOf(routeHealth.route),
      name: routeName(known, routeHealth.route),
      routeHealth,
      ruleId,
    }));
  if (problems.length === 0) return null;
  const isFailing = problems[0]?.routeHealth.health.status === 'failing';
  return (
    <div className="mb-5">
      <Notice
        tone={isFailing ? 'danger' : 'warning'}
        title={isFailing ? 'Notifications are not being delivered' : 'Notifications are delayed'}
      >
        <DeliveryProblems organizationSlug={organizationSlug} problems={problems} now={now} />
      </Notice>
    </div>
  );
}

const keyOf = (route: DeliveryRoute): string =>
  route.kind === 'email' ? 'email' : String(route.destinationId);

/** Whether the alerts of a rule arrive, how many did not, and a test. */
export function RuleDeliveryFacts({
  organizationSlug,
  ruleId,
  delivery: { routes, undelivered },
  known,
  canTest,
  now,
}: {
  organizationSlug: string;
  ruleId: number;
  delivery: RuleDelivery;
  known: AlertReceivers;
  canTest: boolean;
  now: number;
}) {
  return (
    <div className="flex flex-col gap-4 text-sm">
      <ul aria-label="Delivery" className="flex flex-col gap-3">
        {routes.map(({ route, health }) => (
          <li key={keyOf(route)} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <bdi className="break-anything min-w-0 font-medium">{routeName(known, route)}</bdi>
            <DeliveryBadge health={health} now={now} />
          </li>
        ))}
      </ul>
      {undelivered === 0 ? null : (
        <p>
          <TextLink href={`/${organizationSlug}/alerts/${ruleId}?delivery=failed#history`}>
            {formatPlural(undelivered, 'alert')} not delivered
          </TextLink>{' '}
          in the last 24 hours
        </p>
      )}
      {canTest ? (
        <TestButton
          organizationSlug={organizationSlug}
          routes={routes.map(({ route }) => route)}
          destinations={known.destinations.map(({ id, name }) => ({ id, name }))}
        />
      ) : null}
    </div>
  );
}
