import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { WidgetBody } from '#app/[org]/dashboards/[dashboard]/widget-body.tsx';
import { WidgetGrid } from '#app/[org]/dashboards/[dashboard]/widget-grid.tsx';
import { visibleStart, visibleText } from '#lib/visible-text.ts';
import { getServices } from '#product/services.ts';
import type { SharedWidget } from '#product/sharing/open-shared-dashboard.ts';
import { openSharedDashboard } from '#product/sharing/open-shared-dashboard.ts';
import { Card } from '#ui/card.tsx';
import { formatUtcDay } from '#ui/format-time.ts';
import { Logo } from '#ui/logo.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ScrollRegion } from '#ui/table.tsx';

type Props = { params: Promise<{ token: string }> };

const load = cache((token: string) => openSharedDashboard(getServices(), token));

/** Search engines pass by, and no site is told where its visitor came from. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const shared = await load((await params).token);
  return {
    title: shared ? visibleStart(shared.title, 120) : 'Not found',
    robots: { index: false, follow: false, nocache: true },
    referrer: 'no-referrer',
  };
}

/** One dashboard for everybody who has the address: what its widgets show, and nothing of the organization's pages. */
export default async function SharedDashboardPage({ params }: Props) {
  const shared = await load((await params).token);
  if (!shared) notFound();
  const { title, description, widgets, range, readAt, expiresAt } = shared;
  const now = getServices().now();
  return (
    <main className="mx-auto w-full max-w-[1280px] px-4 py-8 sm:px-6">
      <p className="mb-4 flex items-center gap-2 text-sm text-text-muted">
        <Logo className="size-5" />A dashboard that was shared with you
      </p>
      <h1 className="break-anything font-semibold text-xl">
        <bdi>{visibleText(title)}</bdi>
      </h1>
      {description === '' ? null : (
        <p className="break-anything mt-1 text-sm text-text-muted">
          <bdi>{visibleText(description)}</bdi>
        </p>
      )}
      <p className="mt-1 mb-5 text-text-muted text-xs">
        {formatUtcDay(range.fromMs)} to {formatUtcDay(range.toMs)}, counted{' '}
        <RelativeTime at={readAt} now={now} />. Shared until {formatUtcDay(expiresAt)}.
      </p>
      <WidgetGrid
        sizes={widgets.map(({ widget: { id, title: name, width, height } }) => ({
          id,
          title: name,
          width,
          height,
        }))}
        arrange={null}
        seen={{ id: 0, version: 0 }}
        doneHref=""
      >
        {widgets.map((each) => (
          <SharedWidgetCard key={each.widget.id} {...each} now={now} />
        ))}
      </WidgetGrid>
    </main>
  );
}

/** What a widget shows, without anything that leads into the organization or tells what it searches for. */
function SharedWidgetCard({ widget, aliases, data, now }: SharedWidget & { now: number }) {
  const names = aliases.map((alias, index) => alias || (aliases.length > 1 ? `Query ${index + 1}` : ''));
  return (
    <Card
      flush
      id={`widget-${widget.id}`}
      className="flex h-full min-w-0 flex-col overflow-hidden"
      title={<bdi>{visibleText(widget.title)}</bdi>}
    >
      <ScrollRegion
        label={visibleText(widget.title)}
        className="h-full min-h-0 overflow-auto max-md:max-h-96"
      >
        {data === null ? (
          <p className="p-4 text-sm text-text-muted">Couldn’t load this widget.</p>
        ) : (
          <WidgetBody widget={widget} names={names} data={data} places={null} now={now} />
        )}
      </ScrollRegion>
    </Card>
  );
}
