import type { IssueStatus } from '#domain/issues/issue.ts';
import type { FoundPlaces } from '#product/places/find-places.ts';
import type { Level } from '#protocol/event.ts';

/** Longer texts are cut. */
export const PALETTE_TEXT_MAX = 200;

/** What the server tells the command palette. */
export type PaletteAnswer = {
  /** Every one that the user sees, by slug. */
  projects: readonly { slug: string; name: string }[];
  /** Few, last seen first. */
  issues: readonly PaletteIssue[];
  /** Pages of the settings that the user may open, by path below `/[org]/settings`. */
  settings: readonly { path: string; label: string }[];
  canCreateProjects: boolean;
  canChangeAlerts: boolean;
  canChangeUptime: boolean;
  canChangeDashboards: boolean;
  /** What else is named so. */
  places: Omit<FoundPlaces, 'dashboards' | 'releases'> & {
    dashboards: readonly { title: string; href: string }[];
    releases: readonly { version: string; href: string }[];
  };
};

type PaletteIssue = {
  shortId: string;
  heading: string;
  message: string;
  level: Level;
  status: IssueStatus;
};

export const NO_PLACES: PaletteAnswer['places'] = {
  monitors: [],
  uptimeMonitors: [],
  dashboards: [],
  users: [],
  releases: [],
};
