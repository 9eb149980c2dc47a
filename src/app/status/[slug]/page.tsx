import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { HistoryStrip } from '#app/[org]/monitors/uptime/history-strip.tsx';
import { StateBadge } from '#app/[org]/monitors/uptime/state-badge.tsx';
import { formatUptime } from '#app/[org]/monitors/uptime/uptime-labels.ts';
import { visibleText } from '#lib/visible-text.ts';
import { getServices } from '#product/services.ts';
import { openStatusPage, type PublicStatus } from '#product/uptime/open-status-page.ts';
import { Card } from '#ui/card.tsx';
import { formatDuration } from '#ui/format-time.ts';
import { Notice } from '#ui/notice.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';

type Props = { params: Promise<{ slug: string }> };

/** Search engines pass by, and no site is told where its visitor came from. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await openStatusPage(getServices(), (await params).slug);
  return {
    title: page ? visibleText(page.title) : 'Not found',
    robots: { index: false, follow: false, nocache: true },
    referrer: 'no-referrer',
  };
}

/** The monitors that an organization chose to show, for everybody who has the address. */
export default async function PublicStatusPage({ params }: Props) {
  const page = await openStatusPage(getServices(), (await params).slug);
  if (!page) notFound();
  const down = page.monitors.filter(({ isInIncident }) => isInIncident).length;
  const now = getServices().now();
  return (
    <main className="mx-auto flex w-full max-w-[880px] flex-col gap-5 px-4 py-8 sm:px-6">
      <h1 className="break-anything font-semibold text-xl">
        <bdi>{visibleText(page.title)}</bdi>
      </h1>
      {page.monitors.length === 0 ? null : down === 0 ? (
        <Notice tone="success" title="No ongoing incidents" />
      ) : (
        <Notice
          tone="danger"
          title={down === 1 ? 'One service has an incident' : `${down} services have an incident`}
        />
      )}
      <Card flush id="services" title="Services">
        {page.monitors.length === 0 ? (
          <p className="p-4 text-sm text-text-muted">No services are shown yet.</p>
        ) : (
          <ul className="divide-y">
            {page.monitors.map((monitor, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and numbers are not shown
              <Service key={place} monitor={monitor} />
            ))}
          </ul>
        )}
      </Card>
      <Card flush id="incidents" title="Incidents of the last 30 days">
        {page.incidents.length === 0 ? (
          <p className="p-4 text-sm text-text-muted">No incidents.</p>
        ) : (
          <ul className="divide-y">
            {page.incidents.map(({ monitor, startedAt, endedAt }) => (
              <li
                key={`${monitor} ${startedAt}`}
                className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5 text-sm"
              >
                <bdi className="break-anything font-medium">{visibleText(monitor)}</bdi>
                <span className="text-text-muted text-xs">
                  <ExactTime at={startedAt} />
                  {endedAt === null ? ', ongoing' : `, resolved after ${formatDuration(endedAt - startedAt)}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <p className="text-text-faint text-xs">
        Updated <RelativeTime at={page.readAt} now={now} />
      </p>
    </main>
  );
}

function Service({ monitor }: { monitor: PublicStatus['monitors'][number] }) {
  const { history } = monitor;
  return (
    <li className="px-4 py-3">
      <p className="mb-1.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <span className="flex min-w-0 items-center gap-2">
          <bdi className="break-anything font-semibold">{visibleText(monitor.name)}</bdi>
          <StateBadge state={monitor.state} />
        </span>
        <span className="numbers text-text-muted text-xs">
          {formatUptime(history?.availability ?? null)} in 90 days
        </span>
      </p>
      {monitor.url === null ? null : (
        <p className="break-anything mb-1.5 text-text-muted text-xs">
          <bdi>{visibleText(monitor.url)}</bdi>
        </p>
      )}
      {history ? (
        <HistoryStrip cells={history.cells} label="Last 90 days" availability={history.availability} />
      ) : null}
    </li>
  );
}
