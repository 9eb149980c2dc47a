import { type ReactNode, Suspense } from 'react';
import type { PageFilters } from '#app/url-state.ts';
import { timeBounds } from '#app/url-state.ts';
import type { Widget } from '#domain/dashboards/dashboard.ts';
import { issueSortOf, queriesOf } from '#domain/dashboards/widget-queries.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { readWidget, type WidgetData } from '#product/dashboards/read-widget.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { type RowsPlace, rowsHref } from '../../explore/rows/rows-state.ts';
import { streamHref } from '../../issues/stream-url.ts';
import { QuestionProblem } from '../../question/question-problem.tsx';
import { type QuestionAnswer, readAnswer } from '../../question/read-answer.ts';
import type { ChosenVariable } from '../dashboard-state.ts';
import { WidgetBody } from './widget-body.tsx';
import { queryNames } from './widget-lines.ts';
import { placesOf, termsFor } from './widget-place.ts';

/** Reads a widget; several of one page wait for each other. */
export type ReadWidget = (widget: Widget) => Promise<QuestionAnswer<WidgetData>>;

/** How the widgets of a page are read. */
export const readerOf =
  (ctx: Context, filters: PageFilters, variables: readonly ChosenVariable[]): ReadWidget =>
  (widget) =>
    readAnswer(
      readWidget(ctx, widget, {
        projectSlugs: filters.projects,
        environments: filters.environments,
        range: timeBounds(filters.time, ctx.now()),
        terms: termsFor(widget, variables),
      }),
    );

/** A widget with its title, which leads to the rows that it is about; those of several queries have no page of their own. */
export function WidgetCard({
  organizationSlug,
  widget,
  filters,
  variables,
  read,
  now,
  actions,
}: {
  organizationSlug: string;
  widget: Widget;
  filters: PageFilters;
  variables: readonly ChosenVariable[];
  read: ReadWidget;
  now: number;
  actions?: ReactNode;
}) {
  const places = placesOf(organizationSlug, widget, filters, variables);
  return (
    <Card
      flush
      id={`widget-${widget.id}`}
      headingLevel="h2"
      className="flex h-full min-w-0 flex-col overflow-hidden"
      title={
        widget.display === 'text' || places.length > 1 ? (
          <bdi>{visibleText(widget.title)}</bdi>
        ) : (
          <Link
            href={hrefOf(places[0], widget)}
            title={widget.display === 'issues' ? 'Open in Issues' : 'Open in Explore'}
            className="text-text no-underline hover:underline"
          >
            <bdi>{visibleText(widget.title)}</bdi>
          </Link>
        )
      }
      actions={actions}
    >
      <div className="h-full min-h-0 overflow-auto">
        <Suspense
          // Another choice shows that it is being asked.
          key={`${places.map((place) => rowsHref(place)).join(' ')} ${now}`}
          fallback={<Skeleton className="m-4 h-24" />}
        >
          <Answered widget={widget} reading={read(widget)} places={places} now={now} />
        </Suspense>
      </div>
    </Card>
  );
}

/** Where all of a widget stands. */
function hrefOf(place: RowsPlace, { display, sort }: Widget): string {
  const { filters, query } = place.state;
  if (display !== 'issues') return rowsHref(place);
  return streamHref(place.organizationSlug, { ...filters, query, sort: issueSortOf(sort), cursor: null });
}

async function Answered({
  widget,
  reading,
  places,
  now,
}: {
  widget: Widget;
  reading: Promise<QuestionAnswer<WidgetData>>;
  places: ReturnType<typeof placesOf>;
  now: number;
}) {
  const answer = await reading;
  if (answer.kind !== 'found') return <QuestionProblem problem={answer} isSaidAbove={false} />;
  const names = queryNames(queriesOf(widget));
  return <WidgetBody widget={widget} names={names} data={answer.value} places={places} now={now} />;
}
