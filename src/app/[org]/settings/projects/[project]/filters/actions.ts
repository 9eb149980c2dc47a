'use server';

import { z } from 'zod';
import { answeringFormAction } from '#app/forms/action.ts';
import { fieldForEach } from '#app/forms/fields.ts';
import { NotSaved } from '#app/forms/submit-form.ts';
import {
  type FilterList,
  LISTED_FILTERS,
  SWITCHED_FILTERS,
} from '#product/inbound-filters/filter-catalogue.ts';
import {
  checkFilterLines,
  type LineProblem,
  updateInboundFilters,
} from '#product/inbound-filters/inbound-filters.ts';
import { BROWSER_FILTERS, type FilterSettings } from '#protocol/ingest-settings.ts';

/** What the form of the filters sends; the catalogue says how each is shown. */
const FILTER_FIELDS = {
  ...fieldForEach(
    SWITCHED_FILTERS.map(({ setting }) => setting),
    (label) => ({ kind: 'switch', label }),
  ),
  ...fieldForEach(
    LISTED_FILTERS.map(({ setting }) => setting),
    (label) => ({ kind: 'lines', label, isOptional: true }),
  ),
  legacyBrowsers: { kind: 'choices', label: 'Legacy browsers' },
} as const;

type FilterProblems = Readonly<Partial<Record<FilterList, readonly LineProblem[]>>>;

export const saveFiltersAction = answeringFormAction({
  fields: FILTER_FIELDS,
  place: z.strictObject({ projectSlug: z.string().max(100) }),
  save: async (ctx, input, { projectSlug }) => {
    const lists = LISTED_FILTERS.map(({ setting }) => ({
      setting,
      ...checkFilterLines(setting, input[setting]),
    }));
    const problems: FilterProblems = Object.fromEntries(
      lists.filter((list) => list.problems.length > 0).map((list) => [list.setting, list.problems]),
    );
    if (Object.keys(problems).length > 0) return new NotSaved(problems);
    const change: Partial<FilterSettings> = {
      ...Object.fromEntries(SWITCHED_FILTERS.map(({ setting }) => [setting, input[setting]])),
      ...Object.fromEntries(lists.map(({ setting, entries }) => [setting, entries])),
      legacyBrowsers: BROWSER_FILTERS.filter((browser) => input.legacyBrowsers.includes(browser)),
    };
    await updateInboundFilters(ctx, { projectSlug, change });
    return problems;
  },
});
