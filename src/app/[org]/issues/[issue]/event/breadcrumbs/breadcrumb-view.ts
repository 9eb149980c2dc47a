import { marksOf, metaAt, type ScrubMark } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { formatValue } from '#app/[org]/issues/[issue]/event/values/value-location.ts';
import { visibleStart } from '#lib/visible-text.ts';
import { readBreadcrumb } from '#product/events/read-breadcrumb.ts';
import type { Breadcrumb, NormalizedEvent } from '#protocol/event.ts';

/** Longer texts of a breadcrumb are shortened: the page holds up to two hundred of them. */
const TEXT_CHARACTERS_MAX = 1_000;
const VALUE_CHARACTERS_MAX = 200;
const VALUES_MAX = 10;

/** Breadcrumbs, newest first. */
export function breadcrumbViews(event: NormalizedEvent): BreadcrumbView[] {
  const meta = metaAt(event._meta, 'breadcrumbs', 'values');
  return (event.breadcrumbs?.values ?? [])
    .map((crumb, index) => breadcrumbView(crumb, index, marksOf(metaAt(meta, index))))
    .reverse();
}

function breadcrumbView(crumb: Breadcrumb, index: number, marks: readonly ScrubMark[]) {
  const { kind, category, level, text, status, result, rest } = readBreadcrumb(crumb);
  const data = rest.map(([name, value]) => [name, formatValue(value)] as const);
  const isCut =
    text.length > TEXT_CHARACTERS_MAX ||
    data.length > VALUES_MAX ||
    data.some(([, value]) => value.length > VALUE_CHARACTERS_MAX);
  return {
    /** Position as sent, oldest first. */
    index,
    /** Milliseconds since the epoch; null when the SDK sent none. */
    at: momentOf(crumb.timestamp),
    kind,
    category,
    level,
    text: shorten(text, TEXT_CHARACTERS_MAX),
    status,
    result,
    /** What the line does not show; null when it shows everything. */
    more:
      data.length > 0 || marks.length > 0 || isCut
        ? {
            data: data
              .slice(0, VALUES_MAX)
              .map(([name, value]) => [name, shorten(value, VALUE_CHARACTERS_MAX)] as const),
            /** Whether one of its texts was shortened. */
            isCut,
            /** What was done to it before it was stored. */
            marks,
          }
        : null,
  };
}

const shorten = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${visibleStart(text, charactersMax)} …` : text;

/** The last moment that a date can be. */
const MOMENT_MS_MAX = 8.64e15;

function momentOf(seconds: number | null | undefined): number | null {
  if (typeof seconds !== 'number' || !(Math.abs(seconds * 1000) <= MOMENT_MS_MAX)) return null;
  return seconds * 1000;
}

export type BreadcrumbView = ReturnType<typeof breadcrumbView>;
