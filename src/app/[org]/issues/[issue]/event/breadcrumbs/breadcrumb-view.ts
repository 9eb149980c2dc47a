import { visibleStart } from '#lib/visible-text.ts';
import type { Breadcrumb, NormalizedEvent } from '#protocol/event.ts';
import { marksOf, metaAt, type ScrubMark } from '../scrub-marks.ts';
import { formatValue } from '../values/format-value.ts';
import type { BreadcrumbView } from './breadcrumb-filter.ts';

/** Longer texts of a breadcrumb are shortened: the page holds up to two hundred of them. */
const MESSAGE_CHARACTERS_MAX = 1_000;
const VALUE_CHARACTERS_MAX = 200;
const VALUES_MAX = 10;

/** Breadcrumbs, newest first. */
export function breadcrumbViews(event: NormalizedEvent): BreadcrumbView[] {
  const meta = metaAt(event._meta, 'breadcrumbs', 'values');
  return (event.breadcrumbs?.values ?? [])
    .map((crumb, index) => breadcrumbView(crumb, index, marksOf(metaAt(meta, index))))
    .reverse();
}

function breadcrumbView(crumb: Breadcrumb, index: number, marks: readonly ScrubMark[]): BreadcrumbView {
  const message = crumb.message ?? '';
  const data = Object.entries(crumb.data ?? {}).map(([name, value]) => [name, formatValue(value)] as const);
  return {
    index,
    at: momentOf(crumb.timestamp),
    category: crumb.category || crumb.type || 'default',
    level: crumb.level ?? 'info',
    message: shorten(message, MESSAGE_CHARACTERS_MAX),
    data: data
      .slice(0, VALUES_MAX)
      .map(([name, value]) => [name, shorten(value, VALUE_CHARACTERS_MAX)] as const),
    isCut:
      message.length > MESSAGE_CHARACTERS_MAX ||
      data.length > VALUES_MAX ||
      data.some(([, value]) => value.length > VALUE_CHARACTERS_MAX),
    marks,
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
