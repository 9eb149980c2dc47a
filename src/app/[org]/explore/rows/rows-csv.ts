import { getRequestContext } from '#app/request-context.ts';
import { exportRowGroups, exportRows } from '#product/explore/rows/export-rows.ts';
import { answerCsv } from '../answer-csv.ts';
import { paramsIn, parseRowsState, type RowsPageName, rowQuestionOf, sortOf } from './rows-state.ts';

/** What the page shows as a file, all pages of it up to the bound of an export. */
export const csvOf =
  (page: RowsPageName) =>
  async (request: Request, { params }: { params: Promise<{ org: string }> }): Promise<Response> => {
    const { org } = await params;
    const ctx = await getRequestContext(org);
    const state = parseRowsState(page, paramsIn(new URL(request.url).searchParams));
    const question = await rowQuestionOf(ctx, state);
    const { view, fields, groupBy, functions } = state;
    const sort = sortOf(state);
    return await answerCsv(`${org}-${page}`, ctx.now(), () =>
      view === 'samples'
        ? exportRows(ctx, question, { fields, sort })
        : exportRowGroups(ctx, question, { groupBy, functions, sort }),
    );
  };
