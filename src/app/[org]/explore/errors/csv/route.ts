import { getRequestContext } from '#app/request-context.ts';
import { csvLine } from '#lib/csv-line.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';
import { exportExploredEvents, exportGroups } from '#product/explore/export-explored-events.ts';
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
  try {
    const { group: field, groupSort: sort, isDescending, columns, order } = state;
    const table =
      field === null
        ? await exportExploredEvents(ctx, question, { columns, order })
        : await exportGroups(ctx, question, { field, sort, isDescending });
    const day = new Date(ctx.now()).toISOString().slice(0, 10);
    return new Response(streamText(linesOf(table)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${org}-errors-${day}.csv"`,
        'cache-control': 'no-store',
      },
    });
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return new Response(`${error.message}\n`, { status: httpStatus(error.code) });
  }
}

async function* linesOf(table: {
  head: readonly string[];
  rows: AsyncIterable<readonly string[]>;
}): AsyncGenerator<string> {
  yield csvLine(table.head);
  for await (const row of table.rows) yield csvLine(row);
}

/** Lines are made as they are fetched, so that a slow reader holds few of them in memory. */
function streamText(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
