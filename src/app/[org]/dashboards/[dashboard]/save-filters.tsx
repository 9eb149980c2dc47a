'use client';

import { savedFilters } from '#app/[org]/dashboard-href.ts';
import { ActionButton } from '#app/forms/confirm-action.tsx';
import type { PageFilters } from '#app/url-state.ts';
import type { Dashboard } from '#domain/dashboards/dashboard.ts';
import { saveFiltersAction } from '../dashboard-actions.ts';

/** Keeps the chosen filters with the dashboard, where they are others than those it is opened with. */
export function SaveFilters({
  organizationSlug,
  dashboard: { id, version, filters: saved },
  filters,
}: {
  organizationSlug: string;
  dashboard: Pick<Dashboard, 'id' | 'version' | 'filters'>;
  filters: PageFilters;
}) {
  const { projects, environments, time } = filters;
  // Two moments would be the same ones for ever.
  if (time.kind !== 'last' || JSON.stringify(savedFilters(saved)) === JSON.stringify(filters)) return null;
  return (
    <ActionButton
      action={() =>
        saveFiltersAction(organizationSlug, {
          id,
          version,
          projects: [...projects],
          environments: [...environments],
          period: time.period,
        })
      }
      label="Save filters"
      doneTitle="The dashboard opens with these filters now."
    />
  );
}
