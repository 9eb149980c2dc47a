'use client';

import { usePathname } from 'next/navigation';
import { useRef } from 'react';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { useCurrentInView } from '#ui/tabs.tsx';
import type { SettingsSection } from './settings-sections.ts';

/** The pages of the organization's settings: a list at the side, on narrow screens a line that scrolls sideways. */
export function SettingsList({ base, sections }: { base: string; sections: readonly SettingsSection[] }) {
  const pathname = usePathname();
  const list = useRef<HTMLUListElement>(null);
  useCurrentInView(list, pathname);
  const hrefOf = (path: string) => (path ? `${base}/${path}` : base);
  const isCurrent = (path: string) =>
    pathname === hrefOf(path) || (path !== '' && pathname.startsWith(`${hrefOf(path)}/`));

  return (
    <nav
      aria-label="Settings"
      className="shrink-0 border-b md:sticky md:top-12 md:w-52 md:self-start md:border-b-0 md:py-5 md:pl-4"
    >
      <h2 className="mb-1.5 px-2.5 font-medium text-text-faint text-xs max-md:sr-only">Organization</h2>
      <ul
        ref={list}
        className="flex gap-0.5 max-md:overflow-x-auto max-md:px-3 max-md:py-1.5 max-md:[scrollbar-width:none] md:flex-col"
      >
        {sections.map(({ path, label }) => (
          <li key={path} className="shrink-0">
            <Link
              href={hrefOf(path)}
              aria-current={isCurrent(path) ? 'page' : undefined}
              className={cx(
                'flex h-8 items-center rounded-md px-2.5 text-sm no-underline transition-colors focus-visible:outline-offset-[-2px]',
                isCurrent(path)
                  ? 'bg-surface-pressed font-medium text-text'
                  : 'text-text-muted hover:bg-surface-hover hover:text-text',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
