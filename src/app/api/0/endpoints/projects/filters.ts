import { z } from 'zod';
import { get, type Operation, put } from '#app/api/0/operation.ts';
import { each } from '#app/api/0/shape.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { LEGACY_BROWSERS_ID, SWITCHED_FILTERS } from '#product/inbound-filters/filter-catalogue.ts';
import { getInboundFilters, updateInboundFilters } from '#product/inbound-filters/inbound-filters.ts';
import { BROWSER_FILTERS, type FilterSettings, type LegacyBrowser } from '#protocol/ingest-settings.ts';

const FILTER_UPDATE = z.object({
  active: z.boolean().optional(),
  subfilters: z.array(z.enum(BROWSER_FILTERS)).optional(),
});

/** What `active: true` means for legacy browsers in the reference: relay-filter/src/legacy_browsers.rs, `default`. */
const DEFAULT_BROWSERS: readonly LegacyBrowser[] = [
  'ie_pre_9',
  'ie9',
  'safari_pre_6',
  'opera_pre_15',
  'android_pre_4',
  'opera_mini_pre_8',
];

const LEGACY_BROWSERS_HELP = 'Events from outdated browsers, identified by their user agent.';

export const filterOperations: readonly Operation[] = [
  /**
   * By name. `active` is true or false, for legacy browsers a list of the chosen ones, or false for none.
   * Source: sentry, src/sentry/api/endpoints/project_filters.py
   */
  get('projects/[org]/[project]/filters', {
    summary: "Lists a project's inbound filters",
    scopes: ['project:read'],
    answer: z.array(
      z.object({
        id: z.string(),
        active: z.union([z.array(z.enum(BROWSER_FILTERS)), z.boolean()]),
        ...each(z.string(), 'description', 'name', 'hello'),
      }),
    ),
    async handle({ ctx, project }) {
      const filters = await getInboundFilters(ctx, project.slug);
      const rows = [
        ...SWITCHED_FILTERS.map(({ id, name, help, setting }) => describe(id, name, help, filters[setting])),
        describe(LEGACY_BROWSERS_ID, 'Legacy browsers', LEGACY_BROWSERS_HELP, activeBrowsers(filters)),
      ];
      return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  }),

  /** Answers 204. Source: https://docs.sentry.io/api/projects/update-an-inbound-data-filter/ */
  put('projects/[org]/[project]/filters/[filter]', {
    summary: 'Turns an inbound filter on or off',
    scopes: ['project:write'],
    body: FILTER_UPDATE,
    answer: null,
    async handle({ ctx, project, params, body }) {
      const change = changeOf(params.filter, body);
      await updateInboundFilters(ctx, { projectSlug: project.slug, change });
    },
  }),
];

const describe = (
  id: string,
  name: string,
  description: string,
  active: boolean | readonly LegacyBrowser[],
) => ({ id, active, description, name, hello: `${id} - ${name}` });

const activeBrowsers = ({ legacyBrowsers }: FilterSettings): false | readonly LegacyBrowser[] =>
  legacyBrowsers.length === 0 ? false : legacyBrowsers;

function changeOf(id: string, body: z.infer<typeof FILTER_UPDATE>): Partial<FilterSettings> {
  if (id === LEGACY_BROWSERS_ID) {
    if (body.active !== undefined) return { legacyBrowsers: body.active ? DEFAULT_BROWSERS : [] };
    return { legacyBrowsers: body.subfilters ?? [] };
  }
  const filter = SWITCHED_FILTERS.find((each) => each.id === id);
  if (!filter) {
    const ids = [...SWITCHED_FILTERS.map((each) => each.id), LEGACY_BROWSERS_ID].join(', ');
    throw notFound(`Filter "${id.slice(0, 80)}" not found: choose one of ${ids}`);
  }
  if (body.active === undefined) throw invalid('"active" is required: true or false', 'active');
  return { [filter.setting]: body.active };
}
