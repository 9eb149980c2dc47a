import { WidgetBody } from '#app/[org]/dashboards/[dashboard]/widget-body.tsx';
import { visibleText } from '#lib/visible-text.ts';
import type { SharedWidget } from '#product/sharing/open-shared-dashboard.ts';
import { Card } from '#ui/card.tsx';
import { ScrollRegion } from '#ui/table.tsx';

/** What a widget shows, without anything that leads into the organization or tells what it searches for. */
export function SharedWidgetCard({ widget, aliases, data, now }: SharedWidget & { now: number }) {
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
