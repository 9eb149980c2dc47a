import { invalid } from '#lib/errors.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import { BROWSER_FILTERS, type FilterSettings, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { checkFilterLines } from './check-filter-lines.ts';
import { LISTED_FILTERS } from './filter-catalogue.ts';

/**
 * Changes some of a project's filters and answers all of them as they are now; they apply to what is digested from
 * then on. Throws Invalid, naming the list and the line, and NotFound.
 */
export async function updateInboundFilters(
  ctx: Context,
  input: { projectSlug: string; change: Partial<FilterSettings> },
): Promise<FilterSettings> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const change = checkChange(input.change);
  const { ingestSettings } = ctx.stores;
  const settings = await ingestSettings.findProject(ctx.organization.id, project.id);
  if (!settings) throw projectNotFound(ctx, input.projectSlug);
  const filters = { ...settings.filters, ...change };
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.ingestSettings.updateProject(ctx.organization.id, project.id, {
        filters,
      });
      if (!updated) throw projectNotFound(ctx, input.projectSlug);
      return updated.filters;
    },
    () => ({
      action: 'project.filters.edit',
      target: projectTarget(project),
      data: { fields: Object.keys(change) },
    }),
  );
}

/** The change with every list cleaned: trimmed, without blank and repeated entries. */
function checkChange(change: Partial<FilterSettings>): Partial<FilterSettings> {
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(NO_FILTERS, name) || value === undefined) continue;
    const list = LISTED_FILTERS.find(({ setting }) => setting === name);
    if (list) {
      const { entries, problems } = checkFilterLines(list.setting, (value as readonly string[]).join('\n'));
      const [first] = problems;
      if (first) throw invalid(`${list.name}, line ${first.line} ("${first.text}"): ${first.problem}`, name);
      checked[name] = entries;
    } else if (name === 'legacyBrowsers') {
      const chosen = value as FilterSettings['legacyBrowsers'];
      const unknown = chosen.find((browser) => !BROWSER_FILTERS.includes(browser));
      if (unknown !== undefined) {
        throw invalid(`"${unknown}" is no browser: choose from ${BROWSER_FILTERS.join(', ')}`, name);
      }
      checked[name] = BROWSER_FILTERS.filter((browser) => chosen.includes(browser));
    } else {
      checked[name] = value === true;
    }
  }
  return checked;
}
