'use client';

import { usePathname } from 'next/navigation';
import { decodeSegment } from '#app/shell/navigation-sections.ts';
import { type SettingsGroup, SettingsNavigation } from '#app/shell/settings-navigation.tsx';
import { PROJECT_SETTINGS } from './projects/[project]/project-settings.ts';

/** The settings of the organization; on pages of a project, those of the project. */
export function OrganizationNavigation({
  base,
  groups,
}: {
  /** Address of the organization's settings. */
  base: string;
  groups: readonly SettingsGroup[];
}) {
  const below = usePathname().slice(base.length);
  const project = /^\/projects\/([^/]+)/.exec(below)?.[1];
  if (project === undefined) return <SettingsNavigation label="Settings" base={base} groups={groups} />;
  return (
    <SettingsNavigation
      label="Project settings"
      base={`${base}/projects/${project}`}
      groups={PROJECT_SETTINGS}
      of={{ name: decodeSegment(project), parent: { href: base, label: 'Organization settings' } }}
    />
  );
}
