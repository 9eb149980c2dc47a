'use client';

import { ChevronRight } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { visibleText } from '#lib/visible-text.ts';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { crumbsOf } from './crumbs-of.ts';

/** Where the page is, from its address. */
export function Breadcrumb({ organization }: { organization: { slug: string; name: string } }) {
  const crumbs = crumbsOf(usePathname(), organization.slug);
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        {crumbs.map((crumb, index) => (
          <li
            key={crumb.href}
            // A phone has room for the page and where it belongs.
            className={cx('flex min-w-0 items-center gap-1', index < crumbs.length - 2 && 'max-sm:hidden')}
          >
            {index > 0 ? (
              <ChevronRight
                aria-hidden
                className={cx(
                  'size-3.5 shrink-0 text-text-faint',
                  // Nothing stands before the first that a phone shows.
                  index === crumbs.length - 2 && 'max-sm:hidden',
                )}
              />
            ) : null}
            {index === crumbs.length - 1 ? (
              <bdi aria-current="page" className="truncate font-medium">
                {visibleText(crumb.label)}
              </bdi>
            ) : (
              <Link
                href={crumb.href}
                className="truncate rounded-xs text-text-muted no-underline hover:text-text"
              >
                <bdi>{visibleText(crumb.label)}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
