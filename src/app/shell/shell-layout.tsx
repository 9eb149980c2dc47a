'use client';

import { PanelLeftClose, PanelLeftOpen, WifiOff } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { cx } from '#ui/cx.ts';
import { LAST_ORGANIZATION_COOKIE, SIDE_BAR_COOKIE } from '../request-names.ts';
import { Breadcrumb, crumbsOf } from './crumbs-of.tsx';
import { Help } from './help.tsx';
import { keepCookie, type Theme } from './keep-cookie.ts';
import { OrganizationMenu } from './organization-menu.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { keepRecent, titledLabel } from './palette/recent-places.ts';
import { BottomLinks, SectionShortcuts, SideLinks } from './section-links.tsx';
import { UserMenu } from './user-menu.tsx';

type NamedSlug = { slug: string; name: string };

/** The side bar, the top bar and the page; the side bar can be collapsed. */
export function ShellLayout({
  organization,
  organizations,
  canCreateOrganizations,
  user,
  theme,
  startsCollapsed,
  banner,
  children,
}: {
  organization: NamedSlug;
  organizations: readonly NamedSlug[];
  canCreateOrganizations: boolean;
  user: { name: string; email: string };
  theme: Theme;
  startsCollapsed: boolean;
  /** Above every page; null for none. */
  banner: ReactNode;
  children: ReactNode;
}) {
  const [isCollapsed, setIsCollapsed] = useState(startsCollapsed);
  useEffect(() => keepCookie(LAST_ORGANIZATION_COOKIE, organization.slug), [organization.slug]);

  useRecentPlace(organization.slug);

  function toggle() {
    keepCookie(SIDE_BAR_COOKIE, isCollapsed ? '' : 'folded');
    setIsCollapsed(!isCollapsed);
  }

  // Labels next to the icons: on wide screens while the bar is expanded.
  const labelClass = isCollapsed ? 'hidden' : 'hidden lg:block';
  const organizationMenu = (labelClass: string) => (
    <OrganizationMenu
      current={organization}
      organizations={organizations}
      canCreate={canCreateOrganizations}
      labelClass={labelClass}
    />
  );
  const CollapseIcon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <div className="flex min-h-dvh flex-col sm:flex-row">
      <a
        href="#main"
        className="-translate-y-16 fixed top-2 left-2 z-50 rounded-md bg-accent-solid px-3 py-2 font-medium text-on-solid text-sm focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside
        className={cx(
          'sticky top-0 z-30 hidden h-dvh w-14 shrink-0 flex-col border-r bg-surface-sunken sm:flex',
          !isCollapsed && 'lg:w-[200px]',
        )}
      >
        <div className="flex h-12 items-center px-2">{organizationMenu(labelClass)}</div>
        <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5 px-2 pt-2">
          <SideLinks
            organizationSlug={organization.slug}
            labelClass={isCollapsed ? 'sr-only' : 'max-lg:sr-only'}
          />
        </nav>
        <div className="flex flex-col gap-0.5 p-2">
          <button
            type="button"
            onClick={toggle}
            aria-expanded={!isCollapsed}
            className="hidden h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-text-muted hover:bg-surface-pressed hover:text-text lg:flex"
          >
            <CollapseIcon aria-hidden className="size-4 shrink-0" />
            <span className={isCollapsed ? 'sr-only' : undefined}>
              {isCollapsed ? 'Expand sidebar' : 'Collapse'}
            </span>
          </button>
          <UserMenu user={user} theme={theme} placement="side" labelClass={labelClass} />
        </div>
      </aside>
      <div className="flex min-w-0 flex-1 flex-col pb-14 sm:pb-0">
        <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-3 border-b bg-surface px-4 sm:px-6">
          <div className="flex min-w-0 items-center gap-1">
            <div className="-ml-2 shrink-0 sm:hidden">{organizationMenu('hidden')}</div>
            <Breadcrumb organization={organization} />
          </div>
          <div className="flex items-center gap-1">
            <PaletteButton organizationSlug={organization.slug} />
            <Help />
            <div className="sm:hidden">
              <UserMenu user={user} theme={theme} placement="top" labelClass="hidden" />
            </div>
          </div>
        </header>
        <OfflineNotice />
        {banner}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
      <SectionShortcuts organizationSlug={organization.slug} />
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-30 flex h-14 border-t bg-surface-sunken pb-[env(safe-area-inset-bottom)] sm:hidden"
      >
        <BottomLinks organizationSlug={organization.slug} />
      </nav>
    </div>
  );
}

/** Says that the browser has no network, while it has none: what the page shows may be old. */
function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {isOnline ? null : (
        <p className="flex items-center justify-center gap-2 border-b bg-warning-soft px-4 py-1.5 text-sm text-text">
          <WifiOff aria-hidden className="size-4 shrink-0 text-warning" />
          You’re offline. Data may be out of date, and changes can’t be saved.
        </p>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Sections whose single things are worth coming back to. */
const KEPT: ReadonlySet<string> = new Set(['issues', 'projects', 'releases']);

const TITLE_AFTER_MS = 1_000;

/** Remembers the issue, project or release that is looked at, for the command palette. */
function useRecentPlace(organizationSlug: string): void {
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
