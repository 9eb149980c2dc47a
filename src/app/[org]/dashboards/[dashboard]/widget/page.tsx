import { randomBytes } from 'node:crypto';
import { notFound } from 'next/navigation';
import { dashboardHref, savedFilters } from '#app/[org]/dashboard-href.ts';
import { firstValue, type PageRequest, type SearchParams, timeBounds } from '#app/url-state.ts';
import { type Dashboard, WIDGET, type Widget } from '#domain/dashboards/dashboard.ts';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listRowFields } from '#product/explore/rows/row-fields.ts';
import { hasRight } from '#product/permissions.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { functionsFor } from '../../../explore/rows/offered-functions.ts';
import { saveWidgetAction } from '../../dashboard-actions.ts';
import { loadDashboard } from '../load-dashboard.ts';
import { readerOf, WidgetCard } from '../widget-card.tsx';
import { WidgetEditor } from './widget-editor.tsx';

export const metadata = { title: 'Widget' };

/** A draft that is longer was not made by the editor. */
const DRAFT_CHARACTERS_MAX = 16_384;

/** A new widget, or the one that the address names, with its answer beside it. What is not saved yet stands in the address. */
export default async function WidgetPage({ params, searchParams }: PageRequest<'org' | 'dashboard'>) {
  const { org, ctx, dashboard } = await loadDashboard(params);
  const requested = await searchParams;
  const draft = draftOf(dashboard, requested);
  const filters = savedFilters(dashboard.filters);
  const fields = await orUnavailable(
    listRowFields(ctx, {
      dataset: draft.dataset,
      projectSlugs: filters.projects,
      range: timeBounds(filters.time, ctx.now()),
    }),
  );
  const known = fields.ok ? fields.value : [];
  const canChange = hasRight(ctx.actor, 'event:write');
  return (
    <Page
      title={isNew(dashboard, draft) ? 'New widget' : 'Edit widget'}
      description={
        <>
          On <bdi>{visibleText(dashboard.title)}</bdi>
        </>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        {canChange ? (
          <WidgetEditor
            key={draft.id}
            widget={draft}
            names={known.map(({ name }) => name)}
            functions={functionsFor(draft.dataset, known)}
            save={saveWidgetAction.bind(null, org)}
            seen={{ id: dashboard.id, version: dashboard.version }}
            cancelHref={dashboardHref(org, dashboard)}
          />
        ) : (
          <Notice tone="info" title="Viewers cannot change dashboards">
            Ask a member of the organization.
          </Notice>
        )}
        <section aria-label="Preview" className="min-h-60 min-w-0">
          <WidgetCard
            organizationSlug={org}
            widget={draft}
            filters={filters}
            variables={[]}
            read={limitConcurrency(readerOf(ctx, filters, []), 1)}
            now={ctx.now()}
          />
        </section>
      </div>
    </Page>
  );
}

/** As the address has it, else as it is stored, else a new one. */
function draftOf({ widgets }: Dashboard, params: SearchParams): Widget {
  const id = firstValue(params, 'id');
  const stored = widgets.find((widget) => widget.id === id);
  const draft = readDraft(firstValue(params, 'draft') ?? '');
  if (draft) return draft;
  if (stored) return stored;
  if (id !== null) notFound();
  return {
    ...WIDGET.parse({ id: `w${randomBytes(6).toString('hex')}`, title: 'Events', display: 'line' }),
    functions: ['count()'],
  };
}

function readDraft(text: string): Widget | null {
  if (text === '' || text.length > DRAFT_CHARACTERS_MAX) return null;
  try {
    return WIDGET.parse(parseBoundedJson(text));
  } catch {
    return null;
  }
}

const isNew = ({ widgets }: Dashboard, { id }: Widget): boolean =>
  widgets.every((widget) => widget.id !== id);
