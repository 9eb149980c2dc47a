import { getRequestContext } from '#app/request-context.ts';
import { exportExploredEvents, exportGroups } from '#product/explore/export-explored-events.ts';
import { answerCsv } from '../../answer-csv.ts';
import { parseExploreState, questionOf } from '../explore-state.ts';

/** What the page shows as a file, all pages of it up to the bound of an export. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const search = new URL(request.url).searchParams;
  const names = [...new Set(search.keys())];
  const state = parseExploreState(Object.fromEntries(names.map((name) => [name, search.getAll(name)])));
  const question = await questionOf(ctx, state);
  const { group: field, groupSort: sort, isDescending, columns, order } = state;
  return await answerCsv(`${org}-errors`, ctx.now(), () =>
    field === null
      ? exportExploredEvents(ctx, question, { columns, order })
      : exportGroups(ctx, question, { field, sort, isDescending }),
  );
}
