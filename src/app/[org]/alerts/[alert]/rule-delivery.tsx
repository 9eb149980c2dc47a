import { TestButton } from '#app/[org]/alerts/test-button.tsx';
import { DeliveryBadge, DeliveryProblem, routeName } from '#app/[org]/delivery-health.tsx';
import type { RuleDelivery } from '#product/alerts/delivery-health.ts';
import type { AlertReceivers } from '#product/alerts/list-alert-rules.ts';
import { formatPlural } from '#ui/format-number.ts';
import { TextLink } from '#ui/text-link.tsx';

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
        {routes.map((routeHealth) => {
          const { route, health } = routeHealth;
          return (
            <li key={route.kind === 'email' ? 'email' : route.destinationId}>
              <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <bdi className="break-anything min-w-0 font-medium">{routeName(known, route)}</bdi>
                <DeliveryBadge health={health} now={now} />
              </div>
              <p className="break-anything mt-1 text-text-muted text-xs empty:hidden">
                <DeliveryProblem
                  organizationSlug={organizationSlug}
                  routeHealth={routeHealth}
                  ruleId={ruleId}
                  now={now}
                />
              </p>
            </li>
          );
        })}
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
