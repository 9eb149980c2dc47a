'use server';

import { revalidatePath } from 'next/cache';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import type { SettingsState } from '#app/[org]/settings/use-settings-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { checkFilterLines, type LineProblem } from '#product/inbound-filters/check-filter-lines.ts';
import {
  type FilterList,
  LISTED_FILTERS,
  SWITCHED_FILTERS,
} from '#product/inbound-filters/filter-catalogue.ts';
import { updateInboundFilters } from '#product/inbound-filters/update-inbound-filters.ts';
import { BROWSER_FILTERS, type FilterSettings } from '#protocol/ingest-settings.ts';

export type FiltersState = SettingsState & {
  /** What is wrong with which line of which list. */
  problems: Readonly<Partial<Record<FilterList, readonly LineProblem[]>>>;
};

/** Saves all filters, or nothing when a line is wrong. */
export async function saveFiltersAction(
  orgSlug: string,
  projectSlug: string,
  previous: FiltersState,
  form: FormData,
): Promise<FiltersState> {
  const ctx = await getRequestContext(orgSlug);
  const lists = LISTED_FILTERS.map(({ setting }) => ({
    setting,
    ...checkFilterLines(setting, String(form.get(setting) ?? '')),
  }));
  const wrong = lists.filter(({ problems }) => problems.length > 0);
  if (wrong.length > 0) {
    const problems = Object.fromEntries(wrong.map(({ setting, problems }) => [setting, problems]));
    return { problems, error: null, savedAt: previous.savedAt };
  }
  const change: Partial<FilterSettings> = {
    ...Object.fromEntries(SWITCHED_FILTERS.map(({ setting }) => [setting, form.has(setting)])),
    ...Object.fromEntries(lists.map(({ setting, entries }) => [setting, entries])),
    legacyBrowsers: BROWSER_FILTERS.filter((browser) => form.getAll('legacyBrowsers').includes(browser)),
  };
  const refusal = await refusalOf(() => updateInboundFilters(ctx, { projectSlug, change }));
  if (refusal) return { problems: {}, error: refusal.message, savedAt: previous.savedAt };
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/filters`);
  return { problems: {}, error: null, savedAt: ctx.now() };
}
