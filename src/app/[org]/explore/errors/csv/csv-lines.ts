/** A table as lines of CSV (RFC 4180). */
export async function* csvLines(
  head: readonly string[],
  rows: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  yield csvLine(head);
  for await (const row of rows) yield csvLine(row);
}

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Spreadsheets take a text that begins like a formula for one: what was sent must not calculate. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
