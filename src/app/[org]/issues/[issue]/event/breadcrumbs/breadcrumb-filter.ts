import type { Level } from '#protocol/event.ts';
import type { ScrubMark } from '../scrub-marks.ts';

export type BreadcrumbView = {
  /** Place as sent, oldest first. */
  index: number;
  /** Milliseconds since the epoch; null when the SDK sent none. */
  at: number | null;
  /** What it is about: `http`, `ui.click`, `console` … */
  category: string;
  level: Level;
  message: string;
  data: readonly (readonly [name: string, value: string])[];
  /** Whether a text of it was shortened. */
  isCut: boolean;
  /** What was done to it before it was stored. */
  marks: readonly ScrubMark[];
};

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
