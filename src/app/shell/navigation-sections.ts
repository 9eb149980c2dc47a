import {
  Bell,
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  FolderKanban,
  Gauge,
  HeartPulse,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  MonitorPlay,
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
  /** On phones behind “More”: the bar has no room for all. */
  isInMore?: true;
};

type PathOf<Id> = Id extends `go.${infer Path}` ? Path : never;

const section = (path: PathOf<ShortcutId>, Icon: LucideIcon, more: Partial<Section> = {}): Section => ({
  path,
  home: path,
  label: path.charAt(0).toUpperCase() + path.slice(1),
  shortcut: `go.${path}`,
  Icon,
  isFiltered: false,
  ...more,
});

/** The side bar, in its order. */
export const SECTIONS: readonly Section[] = [
  section('issues', CircleAlert, { isFiltered: true }),
  section('feedback', MessageSquareText, { isFiltered: true, isInMore: true }),
  section('replays', MonitorPlay, { isFiltered: true, isInMore: true }),
  section('projects', FolderKanban),
  section('releases', Package, { isFiltered: true }),
  section('alerts', Bell),
  section('explore', Telescope, { home: 'explore/errors', isFiltered: true }),
  section('dashboards', LayoutDashboard, { isInMore: true }),
  section('performance', Gauge, { isFiltered: true, isInMore: true }),
  section('monitors', HeartPulse, { home: 'monitors/crons', isFiltered: true, isInMore: true }),
  section('overview', CalendarDays, { label: 'Weekly summary', isInMore: true }),
  section('stats', ChartNoAxesColumn, { isFiltered: true, isInMore: true }),
  section('settings', Settings, { isInMore: true }),
];

/** Pages that Explore leads to. */
const OF_EXPLORE: ReadonlySet<string> = new Set(['traces', 'profiles', 'users']);

/** The section that an address belongs to; null for none. */
export function sectionOf(pathname: string, organizationSlug: string): Section | null {
  if (pathname.startsWith('/i/')) return SECTIONS[0] ?? null;
  const [first, second] = pathname.split('/').filter(Boolean);
  if (first !== organizationSlug) return null;
  const path = OF_EXPLORE.has(second ?? '') ? 'explore' : second;
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
