import type { BreadcrumbKind } from '#product/events/read-breadcrumb.ts';
import type { Level } from '#protocol/event.ts';
import type { BreadcrumbView } from './breadcrumb-view.ts';

export type BreadcrumbFilter = {
  /** Words that must all occur in category, level, text or data. */
  text: string;
  /** null for all. */
  kind: BreadcrumbKind | null;
  level: Level | null;
};

export function filterBreadcrumbs(
  crumbs: readonly BreadcrumbView[],
  { text, kind, level }: BreadcrumbFilter,
): BreadcrumbView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return crumbs.filter((crumb) => {
    if (kind !== null && crumb.kind !== kind) return false;
    if (level !== null && crumb.level !== level) return false;
    const content = [
      crumb.category,
      crumb.level,
      crumb.text,
      crumb.status,
      ...(crumb.more?.data.flat() ?? []),
    ]
      .join('\n')
      .toLowerCase();
    return words.every((word) => content.includes(word));
  });
}

/** A breadcrumb as plain text: `−2.0 s  fetch  POST /api/cart [500]`. */
export const breadcrumbLine = (crumb: BreadcrumbView, eventAt: number): string =>
  [
    formatOffset(crumb.at, eventAt),
    crumb.category,
    shownLevel(crumb),
    [crumb.text, crumb.status].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join('  ');

/** Of a log line, and what went wrong without saying how in a status; null where the level adds nothing. */
export const shownLevel = ({ kind, level, status, result }: BreadcrumbView): Level | null =>
  kind === 'log' || (status === '' && result !== 'neutral') ? level : null;

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
