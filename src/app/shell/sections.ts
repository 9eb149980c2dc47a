import {
  Bell,
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  FolderKanban,
  type LucideIcon,
  Package,
  Settings,
  Telescope,
} from 'lucide-react';
import type { ShortcutId } from './shortcuts.ts';

export type Section = {
  /** Below the organization. */
  path: string;
  /** Of the page that opens; the same as `path` unless the section has several. */
  home: string;
  label: string;
  shortcut: ShortcutId;
  Icon: LucideIcon;
  /** Goes on with the project, the environment and the time of the page before. */
  isFiltered: boolean;
  /** Stands in the side bar only: the bar of phones has no room for more. */
  isWideOnly?: true;
};

/** The side bar, in its order. */
export const SECTIONS: readonly Section[] = [
  {
    path: 'issues',
    home: 'issues',
    label: 'Issues',
    shortcut: 'go.issues',
    Icon: CircleAlert,
    isFiltered: true,
  },
  {
    path: 'projects',
    home: 'projects',
    label: 'Projects',
    shortcut: 'go.projects',
    Icon: FolderKanban,
    isFiltered: false,
  },
  {
    path: 'releases',
    home: 'releases',
    label: 'Releases',
    shortcut: 'go.releases',
    Icon: Package,
    isFiltered: true,
  },
  {
    path: 'alerts',
    home: 'alerts',
    label: 'Alerts',
    shortcut: 'go.alerts',
    Icon: Bell,
    isFiltered: false,
  },
  {
    path: 'explore',
    home: 'explore/errors',
    label: 'Explore',
    shortcut: 'go.explore',
    Icon: Telescope,
    isFiltered: true,
  },
  {
    path: 'overview',
    home: 'overview',
    label: 'Weekly summary',
    shortcut: 'go.overview',
    Icon: CalendarDays,
    isFiltered: false,
    isWideOnly: true,
  },
  {
    path: 'stats',
    home: 'stats',
    label: 'Stats',
    shortcut: 'go.stats',
    Icon: ChartNoAxesColumn,
    isFiltered: true,
  },
  {
    path: 'settings',
    home: 'settings',
    label: 'Settings',
    shortcut: 'go.settings',
    Icon: Settings,
    isFiltered: false,
  },
];

/** The section that an address belongs to; null for none. */
export function sectionOf(pathname: string, organizationSlug: string): Section | null {
  if (pathname.startsWith('/i/')) return SECTIONS[0] ?? null;
  const [first, second] = pathname.split('/').filter(Boolean);
  if (first !== organizationSlug) return null;
  return SECTIONS.find((section) => section.path === second) ?? null;
}
