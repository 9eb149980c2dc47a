import { csvLine } from '#lib/csv-line.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';
import type { ExportedTable } from '#product/explore/rows/export-rows.ts';

/** A table as a download named after what it is of and the day; what cannot be made is answered in words. */
export async function answerCsv(
  name: string,
  nowMs: number,
  make: () => Promise<ExportedTable>,
): Promise<Response> {
  try {
    const table = await make();
    const day = new Date(nowMs).toISOString().slice(0, 10);
    return new Response(streamText(linesOf(table)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}-${day}.csv"`,
        'cache-control': 'no-store',
      },
    });
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return new Response(`${error.message}\n`, { status: httpStatus(error.code) });
  }
}

async function* linesOf(table: ExportedTable): AsyncGenerator<string> {
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
