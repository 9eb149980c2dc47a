import { formatExact } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { dataRows } from './data-rows.tsx';
import { LateText } from './late-text.tsx';
import { type ValuePlace, valueHref } from './value-place.ts';

/** Rows that stand in the page; a list of modules has thousands. */
const ROWS_MAX = 100;

/** An object of an event as a table; what is beyond the first rows is fetched when somebody asks. */
export function DataTable({
  data,
  place,
  meta,
}: {
  data: Readonly<Record<string, unknown>>;
  place: ValuePlace;
  meta?: unknown;
}) {
  const entries = Object.entries(data);
  const left = entries.length - ROWS_MAX;
  return (
    <>
      <KeyValues rows={dataRows(Object.fromEntries(entries.slice(0, ROWS_MAX)), place, meta)} />
      {left > 0 ? (
        <LateText href={valueHref(place)} label={`Show all ${formatExact(entries.length)} entries as JSON`} />
      ) : null}
    </>
  );
}
