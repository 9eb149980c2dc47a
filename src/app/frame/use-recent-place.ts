'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { crumbsOf } from './crumbs-of.ts';
import { keepRecent, titledLabel } from './palette/recent-places.ts';

/** Sections whose single things are worth coming back to. */
const KEPT: ReadonlySet<string> = new Set(['issues', 'projects', 'releases']);

const TITLE_AFTER_MS = 1_000;

/** Remembers the issue, project or release that is looked at, for the command palette. */
export function useRecentPlace(organizationSlug: string): void {
  const pathname = usePathname();
  useEffect(() => {
    const [, section, name] = new URL(pathname, location.href).pathname.split('/').filter(Boolean);
    const thing = crumbsOf(pathname, organizationSlug)[1];
    if (!section || !name || name === 'new' || !KEPT.has(section) || !thing) return;
    keepRecent(localStorage, organizationSlug, thing);
    // The title of the page comes with its data, after the address.
    const timer = setTimeout(() => {
      const label = titledLabel(thing.label, document.title);
      if (label !== thing.label) keepRecent(localStorage, organizationSlug, { ...thing, label });
    }, TITLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [pathname, organizationSlug]);
}
