import {
  Bell,
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  FolderKanban,
  Gauge,
  type LucideIcon,
  Package,
  Settings,
  Telescope,
} from 'lucide-react';
import type { ShortcutId } from './shortcuts.ts';

export type Section = {
  /** Below the organization. */
  path: string;
  /** The page that opens; the same as `path` unless the section has several. */
  home: string;
  label: string;
  shortcut: ShortcutId;
  Icon: LucideIcon;
  /** Keeps the project, the environment and the time of the page before. */
  isFiltered: boolean;
  /** Only in the side bar: the bar on phones has no room for more. */
  isWideOnly?: true;
};

type PathOf<Id> = Id extends `go.${infer Path}` ? Path : never;

const section = (
  path: PathOf<ShortcutId>,
  label: string,
  Icon: LucideIcon,
  more: Partial<Section> = {},
): Section => ({ path, home: path, label, shortcut: `go.${path}`, Icon, isFiltered: false, ...more });

/** The side bar, in its order. */
export const SECTIONS: readonly Section[] = [
  section('issues', 'Issues', CircleAlert, { isFiltered: true }),
  section('projects', 'Projects', FolderKanban),
  section('releases', 'Releases', Package, { isFiltered: true }),
  section('alerts', 'Alerts', Bell),
  section('explore', 'Explore', Telescope, { home: 'explore/errors', isFiltered: true }),
  section('performance', 'Performance', Gauge, { isFiltered: true, isWideOnly: true }),
  section('overview', 'Weekly summary', CalendarDays, { isWideOnly: true }),
  section('stats', 'Stats', ChartNoAxesColumn, { isFiltered: true }),
  section('settings', 'Settings', Settings),
];

/** The section that an address belongs to; null for none. */
export function sectionOf(pathname: string, organizationSlug: string): Section | null {
  if (pathname.startsWith('/i/')) return SECTIONS[0] ?? null;
  const [first, second] = pathname.split('/').filter(Boolean);
  if (first !== organizationSlug) return null;
  const path = second === 'traces' || second === 'profiles' ? 'explore' : second;
  return SECTIONS.find((section) => section.path === path) ?? null;
}

/** A segment of a path without its percent-encoding; as it is when that cannot be decoded. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
