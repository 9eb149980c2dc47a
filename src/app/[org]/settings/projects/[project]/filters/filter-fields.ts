import { fieldForEach } from '#app/forms/fields.ts';
import { LISTED_FILTERS, SWITCHED_FILTERS } from '#product/inbound-filters/filter-catalogue.ts';

/** What the form of the filters sends; the catalogue says how each is shown. */
export const FILTER_FIELDS = {
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
