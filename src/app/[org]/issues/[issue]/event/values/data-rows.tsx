import type { KeyValue } from '#ui/key-values.tsx';
import { ScrubBadges } from '../scrub-badges.tsx';
import { marksOf, metaAt } from '../scrub-marks.ts';
import { DataValue } from './data-value.tsx';
import { below, type ValuePlace } from './value-place.ts';

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
