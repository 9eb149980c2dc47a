'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { asksBeforeLeaving } from '#ui/navigation/leave-guards.ts';
import { Link } from '#ui/navigation/link.tsx';
import { FILTER_PARAMETERS, withQuery } from '../url-state.ts';
import { SECTIONS, type Section, sectionOf } from './sections.ts';
import { useShortcuts } from './use-shortcuts.ts';

const hrefOf = (organizationSlug: string, { home, isFiltered }: Section, kept: KeptFilters): string => {
  const path = `/${organizationSlug}/${home}`;
  return isFiltered ? withQuery(path, kept) : path;
};

/** The parts of the app, in the side bar or, on phones, at the bottom. */
export function SectionLinks({
  organizationSlug,
  placement,
  labelClass,
}: {
  organizationSlug: string;
  placement: 'side' | 'bottom';
  /** Of what stands beside the icons. */
  labelClass?: string;
}) {
  const current = sectionOf(usePathname(), organizationSlug);
  const kept = useKeptFilters(organizationSlug);
  const shown = placement === 'side' ? SECTIONS : SECTIONS.filter(({ isWideOnly }) => !isWideOnly);
  return shown.map((section) => {
    const { path, label, Icon } = section;
    const isCurrent = section === current;
    return (
      <Link
        key={path}
        href={hrefOf(organizationSlug, section, kept)}
        aria-current={isCurrent ? 'page' : undefined}
        title={placement === 'side' ? label : undefined}
        className={placement === 'side' ? 'side-link' : 'bottom-link'}
      >
        <Icon aria-hidden />
        <span className={labelClass}>{label}</span>
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
        () => {
          const href = hrefOf(organizationSlug, section, kept);
          if (!asksBeforeLeaving(href)) router.push(href);
        },
      ]),
    ),
  );
  return null;
}

type KeptFilters = Readonly<Record<string, readonly string[]>>;

/**
 * The project, environment and time that links to other sections go on with: those of this page, or, on a page that has
 * none (settings), those of the last page that had.
 */
function useKeptFilters(organizationSlug: string): KeptFilters {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [remembered, remember] = useState<KeptFilters>({});
  const isFiltered = sectionOf(pathname, organizationSlug)?.isFiltered === true;
  const text = parameters.toString();

  useEffect(() => {
    if (isFiltered) remember(filtersOf(new URLSearchParams(text)));
  }, [isFiltered, text]);

  return isFiltered ? filtersOf(parameters) : remembered;
}

const filtersOf = (parameters: URLSearchParams): KeptFilters =>
  Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, parameters.getAll(name)]));
