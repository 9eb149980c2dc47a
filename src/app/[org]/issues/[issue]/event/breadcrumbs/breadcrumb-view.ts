import { marksOf, metaAt, type ScrubMark } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { formatValue } from '#app/[org]/issues/[issue]/event/values/value-location.ts';
import { visibleStart } from '#lib/visible-text.ts';
import type { Breadcrumb, Level, NormalizedEvent } from '#protocol/event.ts';

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

function breadcrumbView(crumb: Breadcrumb, index: number, marks: readonly ScrubMark[]) {
  const message = crumb.message ?? '';
  const data = Object.entries(crumb.data ?? {}).map(([name, value]) => [name, formatValue(value)] as const);
  return {
    /** Position as sent, oldest first. */
    index,
    /** Milliseconds since the epoch; null when the SDK sent none. */
    at: momentOf(crumb.timestamp),
    /** For example `http`, `ui.click`, `console`. */
    category: crumb.category || crumb.type || 'default',
    level: crumb.level ?? ('info' as const),
    message: shorten(message, MESSAGE_CHARACTERS_MAX),
    data: data
      .slice(0, VALUES_MAX)
      .map(([name, value]) => [name, shorten(value, VALUE_CHARACTERS_MAX)] as const),
    /** Whether one of its texts was shortened. */
    isCut:
      message.length > MESSAGE_CHARACTERS_MAX ||
      data.length > VALUES_MAX ||
      data.some(([, value]) => value.length > VALUE_CHARACTERS_MAX),
    /** What was done to it before it was stored. */
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

export type BreadcrumbView = ReturnType<typeof breadcrumbView>;

export type BreadcrumbFilter = {
  /** Words that must all occur in category, level, message or data. */
  text: string;
  /** null for all. */
  category: string | null;
  level: Level | null;
};

export function filterBreadcrumbs(
  crumbs: readonly BreadcrumbView[],
  { text, category, level }: BreadcrumbFilter,
): BreadcrumbView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return crumbs.filter((crumb) => {
    if (category !== null && crumb.category !== category) return false;
    if (level !== null && crumb.level !== level) return false;
    const content = [crumb.category, crumb.level, crumb.message, ...crumb.data.flat()]
      .join('\n')
      .toLowerCase();
    return words.every((word) => content.includes(word));
  });
}

/** How long before the event: `−2.3 s`, `−4 min 10 s`; empty without a time. */
export function formatOffset(at: number | null, eventAt: number): string {
  if (at === null) return '';
  const seconds = (at - eventAt) / 1000;
  const size = Math.abs(seconds);
  const sign = seconds <= 0 ? '−' : '+';
  if (size < 0.001) return '0 s';
  if (size < 1) return `${sign}${Math.round(size * 1000)} ms`;
  if (size < 60) return `${sign}${size.toFixed(1)} s`;
  if (size < 3600) return `${sign}${Math.floor(size / 60)} min ${Math.floor(size % 60)} s`;
  return `${sign}${Math.floor(size / 3600)} h ${Math.floor((size % 3600) / 60)} min`;
}
