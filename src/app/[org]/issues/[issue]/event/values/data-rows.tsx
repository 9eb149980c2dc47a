import { formatExact } from '#ui/format-number.ts';
import { type KeyValue, KeyValues } from '#ui/key-values.tsx';
import { ScrubBadges } from '../scrub-badges.tsx';
import { marksOf, metaAt } from '../scrub-marks.ts';
import { DataValue } from './data-value.tsx';
import { LateText } from './late-text.tsx';
import { below, type ValuePlace, valueHref } from './value-place.ts';

/** An object of an event as rows of names and values; `meta` is its branch of the event's `_meta`. */
export function dataRows(
  data: Readonly<Record<string, unknown>>,
  place: ValuePlace,
  meta?: unknown,
): KeyValue[] {
  return Object.entries(data).map(([name, value]) => ({
    key: name,
    name,
    value: <MarkedValue value={value} place={below(place, name)} meta={metaAt(meta, name)} />,
  }));
}

/** Pairs as rows; names may repeat, as headers do. `meta` is their branch of the event's `_meta`. */
export function pairRows(
  pairs: readonly (readonly [string, string])[],
  place: ValuePlace,
  meta?: unknown,
): KeyValue[] {
  return pairs.map(([name, value], index) => ({
    key: `${index} ${name}`,
    name,
    value: <MarkedValue value={value} place={below(place, index, 1)} meta={metaAt(meta, index, 1)} />,
  }));
}

/** A value, and below it what was done to it before it was stored. */
export function MarkedValue({ value, place, meta }: { value: unknown; place: ValuePlace; meta: unknown }) {
  return (
    <>
      <DataValue value={value} place={place} />
      <ScrubBadges marks={marksOf(meta)} />
    </>
  );
}

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
