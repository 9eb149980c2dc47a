'use client';

import { Ellipsis } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Menu, MenuLink } from '#ui/menu.tsx';
import { asksBeforeLeaving } from '#ui/navigation/leave-guards.ts';
import { Link } from '#ui/navigation/link.tsx';
import { FILTER_PARAMETERS, withQuery } from '../url-state.ts';
import { SECTIONS, type Section, sectionOf } from './navigation-sections.ts';
import { useShortcuts } from './use-shortcuts.ts';

const hrefOf = (organizationSlug: string, { home, isFiltered }: Section, kept: KeptFilters): string => {
  const path = `/${organizationSlug}/${home}`;
  return isFiltered ? withQuery(path, kept) : path;
};

/** The parts of the app, in the side bar. */
export function SideLinks({
  organizationSlug,
  labelClass,
}: {
  organizationSlug: string;
  /** Of what stands beside the icons. */
  labelClass: string;
}) {
  const current = sectionOf(usePathname(), organizationSlug);
  const kept = useKeptFilters(organizationSlug);
  return SECTIONS.map((section) => (
    <Link
      key={section.path}
      href={hrefOf(organizationSlug, section, kept)}
      aria-current={section === current ? 'page' : undefined}
      title={section.label}
      className="side-link"
    >
      <section.Icon aria-hidden />
      <span className={labelClass}>{section.label}</span>
    </Link>
  ));
}

/** The parts of the app at the bottom of a phone, the rarer ones in a menu. */
export function BottomLinks({ organizationSlug }: { organizationSlug: string }) {
  const current = sectionOf(usePathname(), organizationSlug);
  const kept = useKeptFilters(organizationSlug);
  return (
    <>
      {SECTIONS.filter(({ isInMore }) => !isInMore).map((section) => (
        <Link
          key={section.path}
          href={hrefOf(organizationSlug, section, kept)}
          aria-current={section === current ? 'page' : undefined}
          className="bottom-link"
        >
          <section.Icon aria-hidden />
          <span>{section.label}</span>
        </Link>
      ))}
      <Menu
        side="top"
        align="end"
        trigger={
          <button type="button" className="bottom-link" aria-current={current?.isInMore && 'true'}>
            <Ellipsis aria-hidden />
            <span>More</span>
          </button>
        }
      >
        {SECTIONS.filter(({ isInMore }) => isInMore).map((section) => (
          <MenuLink
            key={section.path}
            href={hrefOf(organizationSlug, section, kept)}
            icon={<section.Icon aria-hidden />}
          >
            {section.label}
          </MenuLink>
        ))}
      </Menu>
    </>
  );
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
