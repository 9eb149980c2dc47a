import type { ReactNode } from 'react';
import { marksOf, metaAt, ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { visibleText } from '#lib/visible-text.ts';
import { ExternalLink, isWebAddress } from '#ui/external-link.tsx';
import { formatBytes, formatExact } from '#ui/format-number.ts';
import { type KeyValue, KeyValues } from '#ui/key-values.tsx';
import { LazyText } from './lazy-text.tsx';
import { below, formatValue, type ValueLocation, valueHref } from './value-location.ts';

/** Lines of a value that are shown before the rest is collapsed. */
const LINES_SHOWN_FIRST = 12;
const CHARACTERS_SHOWN_FIRST = 600;
/** Longer values are not in the page at all: they are loaded on demand. */
const CHARACTERS_FOLDED_MAX = 4_000;

/** A value that is shown whole, as it is; null for one that needs more than a text. */
function plainText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  const text = formatValue(value);
  return startOf(text) === text && !(typeof value === 'string' && isWebAddress(text)) ? text : null;
}

/** What is shown of a text before the rest is collapsed. */
const startOf = (text: string): string =>
  text.split('\n', LINES_SHOWN_FIRST).join('\n').slice(0, CHARACTERS_SHOWN_FIRST).toWellFormed();

/** Any value of an event, as plain text. Long values are collapsed; all of one can be loaded from `place`. */
export function DataValue({ value, place }: { value: unknown; place: ValueLocation }) {
  if (value === null || value === undefined) return <span className="text-text-faint">null</span>;
  if (value === '') return <span className="text-text-faint">empty</span>;
  const text = formatValue(value);
  if (typeof value === 'string' && text.length <= CHARACTERS_FOLDED_MAX && isWebAddress(text)) {
    return (
      <span className="mono text-xs leading-5">
        <ExternalLink href={text} />
      </span>
    );
  }
  const start = startOf(text);
  if (start.length === text.length) return <Text text={text} />;
  if (text.length > CHARACTERS_FOLDED_MAX) {
    return (
      <>
        <Text text={`${visibleText(start)} …`} />
        <LazyText href={valueHref(place)} label={`Show all ${formatBytes(text.length)}`} />
      </>
    );
  }
  return (
    <details className="group/value">
      <summary className="rounded-sm">
        <span className="group-open/value:hidden">
          <Text text={`${visibleText(start)} …`} />
        </span>
        <span className="text-accent text-xs hover:underline">
          <span className="group-open/value:hidden">Show all</span>
          <span className="hidden group-open/value:inline">Show less</span>
        </span>
      </summary>
      <Text text={text} />
    </details>
  );
}

function Text({ text }: { text: string }) {
  return <bdi className="value-text">{text}</bdi>;
}

/** An object of an event as rows of names and values; `meta` is its branch of the event's `_meta`. */
export function dataRows(
  data: Readonly<Record<string, unknown>>,
  place: ValueLocation,
  meta?: unknown,
): KeyValue[] {
  return Object.entries(data).map(([name, value]) => ({
    name,
    ...shownValue(value, below(place, name), metaAt(meta, name)),
  }));
}

/** Pairs as rows; names may repeat, as headers do. `meta` is their branch of the event's `_meta`. */
export function pairRows(
  pairs: readonly (readonly [string, string])[],
  place: ValueLocation,
  meta?: unknown,
): KeyValue[] {
  return pairs.map(([name, value], index) => ({
    key: `${index} ${name}`,
    name,
    ...shownValue(value, below(place, index, 1), metaAt(meta, index, 1)),
  }));
}

/** A value as a row has it. Most are a text, which is a fifth of the element that would show it. */
export function shownValue(
  value: unknown,
  place: ValueLocation,
  meta: unknown,
): { text: string } | { value: ReactNode } {
  const text = marksOf(meta).length === 0 ? plainText(value) : null;
  return text === null ? { value: <MarkedValue value={value} place={place} meta={meta} /> } : { text };
}

/** A value, and below it what was done to it before it was stored. */
export function MarkedValue({ value, place, meta }: { value: unknown; place: ValueLocation; meta: unknown }) {
  const marks = marksOf(meta);
  if (marks.length === 0) return <DataValue value={value} place={place} />;
  return (
    <>
      <DataValue value={value} place={place} />
      <ScrubBadges marks={marks} />
    </>
  );
}

/** Rows on the page; a list of modules has thousands. */
const ROWS_MAX = 100;

/** An object of an event as a table; what is beyond the first rows is loaded on demand. */
export function DataTable({
  data,
  place,
  meta,
}: {
  data: Readonly<Record<string, unknown>>;
  place: ValueLocation;
  meta?: unknown;
}) {
  const entries = Object.entries(data);
  const left = entries.length - ROWS_MAX;
  return (
    <>
      <KeyValues rows={dataRows(Object.fromEntries(entries.slice(0, ROWS_MAX)), place, meta)} />
      {left > 0 ? (
        <LazyText href={valueHref(place)} label={`Show all ${formatExact(entries.length)} entries as JSON`} />
      ) : null}
    </>
  );
}
