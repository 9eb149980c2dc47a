'use client';

import { usePathname } from 'next/navigation';
import { TabLinks } from '#ui/tabs.tsx';

/** Every page of a project's settings, in the order in which they are shown; `path` is below the project's own. */
const PAGES = [
  { path: '', label: 'General' },
  { path: '/keys', label: 'Client keys' },
  { path: '/ownership', label: 'Ownership' },
  { path: '/alerts', label: 'Alerts' },
  { path: '/grouping', label: 'Grouping' },
  { path: '/source-maps', label: 'Source maps' },
  { path: '/code-mappings', label: 'Code mappings' },
  { path: '/filters', label: 'Inbound filters' },
  { path: '/privacy', label: 'Privacy' },
  { path: '/rate-limits', label: 'Rate limits' },
  { path: '/discarded', label: 'Discarded' },
] as const;

/** The pages of a project's settings. `base` is the address of the first of them. */
export function SettingsNavigation({ base }: { base: string }) {
  const pathname = usePathname();
  return (
    <div className="mt-2">
      <TabLinks
        label="Project settings"
        tabs={PAGES.map(({ path, label }) => ({
          href: `${base}${path}`,
          label,
          isCurrent: isWithin(pathname, base, path),
        }))}
      />
    </div>
  );
}

/** Pages below one of them belong to it; all are below the first. */
const isWithin = (pathname: string, base: string, path: string): boolean =>
  pathname === `${base}${path}` || (path !== '' && pathname.startsWith(`${base}${path}/`));
