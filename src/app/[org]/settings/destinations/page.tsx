import { Megaphone } from 'lucide-react';
import type { Metadata } from 'next';
import { TestButton } from '#app/[org]/alerts/test-button.tsx';
import { DeliveryBadge, DeliveryProblem } from '#app/[org]/delivery-health.tsx';
import { ManagersOnly } from '#app/[org]/settings/managers-only.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { EMAIL } from '#product/alerts/delivery-health.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import { DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import { listDestinations } from '#product/destinations/destinations.ts';
import { getServices } from '#product/services.ts';
import { mayChangeSharedObjects } from '#product/shared-objects.ts';
import { Card, ListCard } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { KindChoices, KindMark } from './destination-marks.tsx';

export const metadata: Metadata = { title: 'Destinations' };

export default async function DestinationsPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const [destinations, health] = await Promise.all([
    listDestinations(ctx),
    getDeliveryHealth(ctx, getServices().mailer, []),
  ]);
  const canChange = mayChangeSharedObjects(ctx);
  const now = ctx.now();
  const path = `/${org}/settings/destinations`;
  return (
    <SettingsPage
      title="Destinations"
      description="Where alert rules send notifications in addition to email: chats, pagers and webhooks."
    >
      <ListCard
        id="destinations"
        title="Destinations"
        empty={
          <EmptyState icon={<Megaphone />} title="No destinations yet">
            {canChange
              ? 'Alert rules notify people by email. Add a chat, pager or webhook below to notify them there too.'
              : 'Alert rules notify people by email. Ask a manager or an owner to add a chat, pager or webhook.'}
          </EmptyState>
        }
      >
        {destinations.map((destination) => {
          const { id, name, kind, config } = destination;
          const state = health.destinations[id];
          return (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-3 transition-colors hover:bg-surface-hover"
            >
              <KindMark kind={kind} />
              <div className="min-w-0 flex-1 basis-52">
                <p className="break-anything text-sm">
                  <Link href={`${path}/${id}`} className="font-medium text-text no-underline hover:underline">
                    <bdi>{visibleText(name)}</bdi>
                  </Link>
                </p>
                <p className="break-anything text-text-muted text-xs">
                  {DESTINATION_KINDS_FIELDS[kind].name}
                  {config.host === undefined ? null : (
                    <>
                      , <span className="mono">{visibleText(config.host)}</span>
                    </>
                  )}
                </p>
              </div>
              {state ? <DeliveryBadge health={state} now={now} /> : null}
            </li>
          );
        })}
      </ListCard>
      <Card id="email" title="Email" actions={<DeliveryBadge health={health.email} now={now} />}>
        <div className="flex flex-col items-start gap-3 text-sm">
          <p className="break-anything text-text-muted">
            Alert rules notify people by email, unless they turned alert emails off in their account settings.
          </p>
          <p className="break-anything empty:hidden">
            <DeliveryProblem
              organizationSlug={org}
              routeHealth={{ route: EMAIL, health: health.email }}
              isFixHere
              now={now}
            />
          </p>
          {canChangeAlerts(ctx) ? (
            <TestButton organizationSlug={org} routes={[EMAIL]} destinations={[]} />
          ) : null}
        </div>
      </Card>
      <Card id="new-destination" title="Add a destination">
        {canChange ? (
          <KindChoices organizationSlug={org} />
        ) : (
          <ManagersOnly label="Add destination">
            Destinations are shared by all projects. Ask a manager or an owner to add or change one. Alert
            rules in your projects can use the ones listed here.
          </ManagersOnly>
        )}
      </Card>
    </SettingsPage>
  );
}
