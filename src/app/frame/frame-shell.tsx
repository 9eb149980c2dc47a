'use client';

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { cx } from '#ui/cx.ts';
import { LAST_ORGANIZATION_COOKIE, SIDE_BAR_COOKIE } from '../request-names.ts';
import type { Theme } from './apply-theme.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { Help } from './help.tsx';
import { keepCookie } from './keep-cookie.ts';
import { OfflineNotice } from './offline-notice.tsx';
import { OrganizationMenu } from './organization-menu.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { SectionLinks, SectionShortcuts } from './section-links.tsx';
import { useRecentPlace } from './use-recent-place.ts';
import { UserMenu } from './user-menu.tsx';

type NamedSlug = { slug: string; name: string };

/** The frame in the browser: folds, knows where it is, keeps filters between pages. */
export function FrameShell({
  organization,
  organizations,
  user,
  theme,
  startsFolded,
  banner,
  children,
}: {
  organization: NamedSlug;
  organizations: readonly NamedSlug[];
  user: { name: string; email: string };
  theme: Theme;
  startsFolded: boolean;
  /** Above every page; null when there is nothing to tell. */
  banner: ReactNode;
  children: ReactNode;
}) {
  const [isFolded, setIsFolded] = useState(startsFolded);
  useEffect(() => keepCookie(LAST_ORGANIZATION_COOKIE, organization.slug), [organization.slug]);

  useRecentPlace(organization.slug);

  function toggle() {
    keepCookie(SIDE_BAR_COOKIE, isFolded ? '' : 'folded');
    setIsFolded(!isFolded);
  }

  // Words beside the icons: on wide screens while the bar is open.
  const words = isFolded ? 'hidden' : 'hidden lg:block';
  const FoldIcon = isFolded ? PanelLeftOpen : PanelLeftClose;
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
          !isFolded && 'lg:w-[200px]',
        )}
      >
        <div className="flex h-12 items-center px-2">
          <OrganizationMenu current={organization} organizations={organizations} wordsClass={words} />
        </div>
        <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5 px-2 pt-2">
          <SectionLinks organizationSlug={organization.slug} look="side" wordsClass={words} />
        </nav>
        <div className="flex flex-col gap-0.5 p-2">
          <button
            type="button"
            onClick={toggle}
            aria-expanded={!isFolded}
            className="hidden h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-text-muted hover:bg-surface-pressed hover:text-text lg:flex"
          >
            <FoldIcon aria-hidden className="size-4 shrink-0" />
            <span className={isFolded ? 'sr-only' : undefined}>{isFolded ? 'Open side bar' : 'Fold'}</span>
          </button>
          <UserMenu user={user} theme={theme} look="side" wordsClass={words} />
        </div>
      </aside>
      <div className="flex min-w-0 flex-1 flex-col pb-14 sm:pb-0">
        <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-3 border-b bg-surface px-4 sm:px-6">
          <Breadcrumb organization={organization} />
          <div className="flex items-center gap-1">
            <PaletteButton organizationSlug={organization.slug} />
            <Help />
            <div className="sm:hidden">
              <UserMenu user={user} theme={theme} look="top" wordsClass="hidden" />
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
        <SectionLinks
          organizationSlug={organization.slug}
          look="bottom"
          wordsClass="block max-w-full truncate"
        />
      </nav>
    </div>
  );
}
