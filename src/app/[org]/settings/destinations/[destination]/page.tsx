import { Inbox } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { TestButton } from '#app/[org]/alerts/test-button.tsx';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { DeliveryBadge, DeliveryProblem } from '#app/[org]/delivery-health.tsx';
import { DeliveryResult } from '#app/[org]/delivery-result.tsx';
import { MANAGERS_ONLY, ManagersOnly } from '#app/[org]/settings/managers-only.tsx';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { DeliveryRoute } from '#product/alerts/delivery-health.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import type { Context } from '#product/context.ts';
import { type DeliveryRow, listDeliveries } from '#product/deliveries/deliveries.ts';
import { DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import type { Destination } from '#product/destinations/destination-store.ts';
import { getDestination } from '#product/destinations/destinations.ts';
import { getServices } from '#product/services.ts';
import { mayChangeSharedObjects } from '#product/shared-objects.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { removeDestinationAction } from '../actions.ts';
import { destinationFields, destinationValues } from '../destination-fields.ts';
import { DestinationForm } from '../destination-form.tsx';

type Props = {
  params: Promise<{ org: string; destination: string }>;
  searchParams: Promise<SearchParams>;
};

const PAGE_DELIVERIES = 50;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, destination } = await params;
  const { name } = await load(await getRequestContext(org), destination);
  return { title: visibleText(name) };
}

export default async function DestinationPage({ params, searchParams }: Props) {
  const { org, destination: number } = await params;
  const cursor = firstValue(await searchParams, 'cursor') || null;
  const ctx = await getRequestContext(org);
  const destination = await load(ctx, number);
  const { id, kind } = destination;
  const [{ destinations }, log] = await Promise.all([
    getDeliveryHealth(ctx, getServices().mailer, []),
    readListPage(cursor, (from) =>
      listDeliveries(ctx, { destinationId: id, ruleId: null, limit: PAGE_DELIVERIES, cursor: from }),
    ),
  ]);
  const route: DeliveryRoute = { kind: 'destination', destinationId: id };
  const health = destinations[id];
  const now = ctx.now();
  const canChange = mayChangeSharedObjects(ctx);
  const name = visibleText(destination.name);
  const path = `/${org}/settings/destinations`;
  const info = DESTINATION_KINDS_FIELDS[kind];
  return (
    <Page
      width="narrow"
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          <bdi className="break-anything min-w-0">{name}</bdi>
          {health ? <DeliveryBadge health={health} now={now} /> : null}
        </span>
      }
      description={`${info.name}. ${info.how}`}
      actions={
        <ConfirmDelete
          name={name}
          consequence="Alert rules no longer notify it, and messages waiting for it are dropped."
          action={removeDestinationAction.bind(null, org, id)}
          afterHref={path}
          disabledReason={canChange ? null : MANAGERS_ONLY}
        />
      }
    >
      <div className="flex flex-col gap-5">
        {health?.status === 'failing' || health?.status === 'delayed' ? (
          <Notice tone="danger" title="Messages are not being delivered">
            <DeliveryProblem organizationSlug={org} routeHealth={{ route, health }} isFixHere now={now} />
            {canChange ? ' Fix it below, then send a test.' : null}
          </Notice>
        ) : null}
        <Card id="destination" title={info.name}>
          <DestinationForm
            organizationSlug={org}
            kind={kind}
            destinationId={id}
            fields={destinationFields({ kind, known: destination })}
            values={destinationValues(destination)}
            canChange={canChange}
          />
          {canChange ? null : <p className="mt-4 text-sm text-text-muted">{MANAGERS_ONLY}.</p>}
        </Card>
        <Card id="test" title="Test">
          {canChangeAlerts(ctx) ? (
            <TestButton organizationSlug={org} routes={[route]} destinations={[{ id, name }]} />
          ) : (
            <ManagersOnly label="Send test notification">Ask an admin to send a test.</ManagersOnly>
          )}
        </Card>
        <Card flush id="log" title="Messages">
          {log.deliveries.length > 0 ? (
            <DeliveryLog deliveries={log.deliveries} now={now} />
          ) : (
            <EmptyState icon={<Inbox />} title={cursor ? 'No more messages' : 'No messages yet'}>
              Messages sent to this destination and their delivery status appear here. Choose it in an alert
              rule.
            </EmptyState>
          )}
        </Card>
      </div>
      <CursorPager path={`${path}/${id}`} entries={{}} cursor={cursor} nextCursor={log.nextCursor} />
    </Page>
  );
}

async function load(ctx: Context, number: string): Promise<Destination> {
  if (!/^\d{1,15}$/.test(number)) notFound();
  return orNotFound(getDestination(ctx, Number(number)));
}

/** Messages, newest first: what each said, and what became of it. */
function DeliveryLog({ deliveries, now }: { deliveries: readonly DeliveryRow[]; now: number }) {
  return (
    <ul aria-label="Messages" className="divide-y">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="grid gap-x-6 gap-y-1 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="min-w-0">
            <p className="break-anything text-sm">
              <bdi>{visibleText(delivery.summary ?? KIND_LABELS[delivery.kind])}</bdi>
            </p>
            <p className="break-anything text-text-faint text-xs">
              <RelativeTime at={delivery.createdAt} now={now} />
              {delivery.firingsTotal > 1 ? `, ${formatPlural(delivery.firingsTotal, 'alert')}` : null}
              {' · '}
              <span className="mono">{delivery.id}</span>
            </p>
          </div>
          <DeliveryResult delivery={delivery} now={now} />
        </li>
      ))}
    </ul>
  );
}

const KIND_LABELS: Readonly<Record<DeliveryRow['kind'], string>> = {
  alert: 'An alert',
  closing: 'The end of incidents',
  activity: 'What happened to issues',
  report: 'The week',
  test: 'A test',
};
