import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { groupRows } from '#product/explore/rows/explored-rows.ts';
import { requireRight } from '#product/permissions.ts';

/** Values of a variable that are offered; any other can be typed. */
const VALUES_OFFERED_MAX = 25;
/** How far back values are looked for. */
const LOOKED_BACK_MS = 14 * DAY_MS;

/** The values that events of the projects have most often, by field; none for a field that cannot be asked. */
export async function listVariableValues(
  ctx: Context,
  fields: readonly string[],
  projectSlugs: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  requireRight(ctx, 'event:read');
  const toMs = ctx.now();
  const question = {
    dataset: 'errors',
    query: '',
    projectSlugs,
    environments: [],
    range: { fromMs: toMs - LOOKED_BACK_MS, toMs },
  } as const;
  const found = await Promise.all(
    fields.map(async (field) => {
      const by = {
        groupBy: [field],
        functions: ['count()'],
        sort: null,
        limit: VALUES_OFFERED_MAX,
        offset: 0,
      };
      // They are only a help: without its store, the dashboard is shown all the same.
      const table = await orUnavailable(groupRows(ctx, question, by));
      const values = table.ok ? table.value.groups.flatMap(({ keys }) => keys[0] || []) : [];
      return [field, values] as const;
    }),
  );
  return Object.fromEntries(found);
}
