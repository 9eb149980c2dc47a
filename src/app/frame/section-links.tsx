'use client';

import { usePathname, useRouter } from 'next/navigation';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { withQuery } from '../url-state.ts';
import { SECTIONS, type Section, sectionOf } from './sections.ts';
import { type KeptFilters, useKeptFilters } from './use-kept-filters.ts';
import { useShortcuts } from './use-shortcuts.ts';

const hrefOf = (organizationSlug: string, { home, isFiltered }: Section, kept: KeptFilters): string => {
  const path = `/${organizationSlug}/${home}`;
  return isFiltered ? withQuery(path, kept) : path;
};

/** The parts of the app, in the side bar or, on phones, at the bottom. */
export function SectionLinks({
  organizationSlug,
  look,
  wordsClass,
}: {
  organizationSlug: string;
  look: 'side' | 'bottom';
  wordsClass: string;
}) {
  const current = sectionOf(usePathname(), organizationSlug);
  const kept = useKeptFilters(organizationSlug);
  const shown = look === 'side' ? SECTIONS : SECTIONS.filter(({ isWideOnly }) => !isWideOnly);
  return shown.map((section) => {
    const { path, label, Icon } = section;
    const isCurrent = section === current;
    return (
      <Link
        key={path}
        href={hrefOf(organizationSlug, section, kept)}
        aria-current={isCurrent ? 'page' : undefined}
        title={look === 'side' ? label : undefined}
        className={cx(
          'no-underline transition-colors',
          look === 'side'
            ? 'flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm'
            : 'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs tracking-tight',
          isCurrent
            ? cx('font-medium text-text', look === 'side' && 'bg-surface-pressed')
            : cx('text-text-muted hover:text-text', look === 'side' && 'hover:bg-surface-pressed'),
        )}
      >
        <Icon
          aria-hidden
          className={cx('shrink-0', look === 'side' ? 'size-4' : 'size-5', isCurrent && 'text-accent')}
        />
        <span className={wordsClass}>{label}</span>
        {look === 'side' ? <span className="sr-only lg:hidden">{label}</span> : null}
      </Link>
    );
  });
}

/** The keys that lead to the sections. */
export function SectionShortcuts({ organizationSlug }: { organizationSlug: string }) {
  const router = useRouter();
  const kept = useKeptFilters(organizationSlug);
  useShortcuts(
    Object.fromEntries(
      SECTIONS.map((section) => [
        section.shortcut,
        () => router.push(hrefOf(organizationSlug, section, kept)),
      ]),
    ),
  );
  return null;
}
