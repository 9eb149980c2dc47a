'use client';

import { ArrowLeft, ChevronDown } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useId, useState } from 'react';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';

/** `path` is below the base of the navigation; empty for the first page. */
export type SettingsPage = { path: string; label: string };
export type SettingsGroup = { label: string; pages: readonly SettingsPage[] };

/** All pages of some settings in groups, beside the page. On phones they open above it. */
export function SettingsNavigation({
  label,
  base,
  groups,
  of = null,
}: {
  label: string;
  base: string;
  groups: readonly SettingsGroup[];
  /** The one of many whose settings these are, and the way up; null where there is only one. */
  of?: { name: string; parent: { href: string; label: string } } | null;
}) {
  const pathname = usePathname();
  // Another page closes the list.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const isOpen = openOn === pathname;
  const listId = useId();
  const current = groups.flatMap(({ pages }) => pages).find(({ path }) => isWithin(pathname, base, path));
  return (
    <nav
      aria-label={label}
      className="shrink-0 px-4 max-md:border-b max-md:py-2 md:sticky md:top-12 md:max-h-[calc(100dvh-3rem)] md:w-56 md:self-start md:overflow-y-auto md:py-5 md:pr-0"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpenOn(isOpen ? null : pathname)}
        className="flex h-9 w-full items-center gap-2 rounded-md border border-border-control bg-surface-raised px-2.5 text-sm md:hidden"
      >
        <span className="shrink-0 text-text-muted">{label}</span>
        <span className="min-w-0 flex-1 truncate text-left font-medium">{current?.label}</span>
        <ChevronDown
          aria-hidden
          className={cx('size-4 shrink-0 text-text-muted transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      <div id={listId} className={cx('flex flex-col gap-4 max-md:py-3', !isOpen && 'max-md:hidden')}>
        {of ? (
          <div className="flex flex-col gap-1">
            <Link href={of.parent.href} className={cx(LINK, 'gap-1.5', OTHER)}>
              <ArrowLeft aria-hidden className="size-4 shrink-0" />
              {of.parent.label}
            </Link>
            <p className="break-anything px-2.5 font-semibold text-sm">
              <bdi>{of.name}</bdi>
            </p>
          </div>
        ) : null}
        {groups.map((group) => (
          <div key={group.label}>
            <p id={`${listId}-${group.label}`} className="mb-1 px-2.5 font-medium text-text-faint text-xs">
              {group.label}
            </p>
            <ul aria-labelledby={`${listId}-${group.label}`} className="flex flex-col gap-0.5">
              {group.pages.map((page) => (
                <li key={page.path}>
                  <Link
                    href={hrefOf(base, page.path)}
                    aria-current={page === current ? 'page' : undefined}
                    className={cx(
                      LINK,
                      page === current ? 'bg-surface-pressed font-medium text-text' : OTHER,
                    )}
                  >
                    {page.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

const LINK =
  'flex min-h-8 items-center rounded-md px-2.5 text-sm no-underline transition-colors focus-visible:outline-offset-[-2px]';
const OTHER = 'text-text-muted hover:bg-surface-hover hover:text-text';

const hrefOf = (base: string, path: string): string => (path === '' ? base : `${base}/${path}`);

/** Pages below one of them belong to it; all are below the first. */
const isWithin = (pathname: string, base: string, path: string): boolean =>
  pathname === hrefOf(base, path) || (path !== '' && pathname.startsWith(`${base}/${path}/`));
