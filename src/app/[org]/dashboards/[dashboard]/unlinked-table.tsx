import { visibleText } from '#lib/visible-text.ts';

/** Cells of a public page, which lead nowhere. */
export function UnlinkedTable({
  heads,
  numbersFrom = Number.POSITIVE_INFINITY,
  rows,
}: {
  heads: readonly string[];
  /** Columns from here on are numbers. */
  numbersFrom?: number;
  rows: readonly (readonly string[])[];
}) {
  const isNumber = (index: number) => index >= numbersFrom;
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b text-left text-text-muted text-xs">
          {heads.map((head, index) => (
            <th
              key={head}
              scope="col"
              className={`px-4 py-2 font-medium ${isNumber(index) ? 'text-right' : ''}`}
            >
              <bdi>{visibleText(head)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name that is shown, and keep their places
          <tr key={place}>
            {row.map((cell, index) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: cells keep their columns
                key={index}
                className={`min-w-24 max-w-96 px-4 py-2 align-top [overflow-wrap:break-word] ${isNumber(index) ? 'numbers text-right' : ''}`}
              >
                <bdi>{visibleText(cell) || '–'}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
