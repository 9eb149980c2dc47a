'use client';

import { ChevronDown } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { DOCS_PATH } from './guides/guide-links.ts';
import { GUIDE_GROUPS } from './guides/guide-list.ts';

type Titles = readonly (readonly [name: string, title: string])[];

/** All guides, beside the one that is read; on narrow pages, above it when it is opened. */
export function GuideMenu({ titles }: { titles: Titles }) {
  const current = usePathname();
  return (
    <>
      <details className="group mb-5 rounded-lg border lg:hidden">
        <summary className="flex cursor-pointer items-center justify-between px-4 py-2.5 font-medium text-sm">
          All guides
          <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
        </summary>
        <div className="border-t px-4 py-3">
          <GuideLinks titles={titles} current={current} label="All guides" />
        </div>
      </details>
      <div className="max-lg:hidden">
        <div className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto">
          <GuideLinks titles={titles} current={current} label="Guides" />
        </div>
      </div>
    </>
  );
}

function GuideLinks({ titles, current, label }: { titles: Titles; current: string; label: string }) {
  const titleOf = new Map(titles);
  return (
    <nav aria-label={label} className="flex flex-col gap-5 text-sm">
      {GUIDE_GROUPS.map(({ title, guides }) => (
        <section key={title} aria-label={title}>
          <p className="mb-1.5 font-medium text-text-muted text-xs">{title}</p>
          <ul className="flex flex-col gap-1">
            {guides.map((name) => {
              const href = `${DOCS_PATH}/${name}`;
              const isCurrent = href === current;
              return (
                <li key={name}>
                  <Link
                    href={href}
                    aria-current={isCurrent ? 'page' : undefined}
                    className={cx(
                      'block rounded-xs py-0.5 no-underline hover:text-text hover:underline',
                      isCurrent ? 'font-medium text-text' : 'text-text-muted',
                    )}
                  >
                    {titleOf.get(name) ?? name}
                  </Link>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </nav>
  );
}
