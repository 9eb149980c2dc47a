import type { Breadcrumb, Level, NormalizedEvent } from '#protocol/event.ts';
import { formatValue } from './format-value.ts';
import { marksOf, metaAt, type ScrubMark } from './scrub-marks.ts';

export type BreadcrumbView = {
  index: number;
  /** Milliseconds since the epoch; null when the SDK sent none. */
  at: number | null;
  /** What it is about: `http`, `ui.click`, `console` … */
  category: string;
  level: Level;
  message: string;
  data: readonly (readonly [name: string, value: string])[];
  /** What was done to it before it was stored. */
  marks: readonly ScrubMark[];
};

/** Breadcrumbs, newest first. */
export function breadcrumbViews(event: NormalizedEvent): BreadcrumbView[] {
  const meta = metaAt(event._meta, 'breadcrumbs', 'values');
  return (event.breadcrumbs?.values ?? [])
    .map((crumb, index) => breadcrumbView(crumb, index, marksOf(metaAt(meta, index))))
    .reverse();
}

/** Those in which every word occurs (in category, level, message or data), of one category or (null) of all. */
export function filterBreadcrumbs(
  crumbs: readonly BreadcrumbView[],
  text: string,
  category: string | null,
): BreadcrumbView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return crumbs.filter((crumb) => {
    if (category !== null && crumb.category !== category) return false;
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

function breadcrumbView(crumb: Breadcrumb, index: number, marks: readonly ScrubMark[]): BreadcrumbView {
  return {
    index,
    at: typeof crumb.timestamp === 'number' ? crumb.timestamp * 1000 : null,
    category: crumb.category || crumb.type || 'default',
    level: crumb.level ?? 'info',
    message: crumb.message ?? '',
    data: Object.entries(crumb.data ?? {}).map(([name, value]) => [name, formatValue(value)] as const),
    marks,
  };
}
