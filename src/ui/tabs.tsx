'use client';

import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cx } from './cx.ts';
import { Link } from './navigation/link.tsx';
import { useFadingEnds } from './use-fading-ends.ts';

type TabLink = { href: string; label: ReactNode; count?: string; isCurrent: boolean };

/**
 * Views of one thing, each with its own address. `label` names the group. Where they do not fit beside each other they
 * scroll sideways: the current one is in view, and an end that fades out has more behind it.
 */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const bar = useRef<HTMLElement>(null);
  const fade = useFadingEnds(bar);
  useCurrentInView(bar, tabs.find((tab) => tab.isCurrent)?.href);

  return (
    <nav
      ref={bar}
      aria-label={label}
      className={cx('-mb-px flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none]', fade)}
    >
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={tab.isCurrent ? 'page' : undefined}
          className="tab"
        >
          {tab.label}
          {tab.count !== undefined ? (
            <span className="numbers text-text-faint text-xs">{tab.count}</span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}

/** The current one is in view, anew whenever `current` changes. */
function useCurrentInView(line: RefObject<HTMLElement | null>, current: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current link
  useEffect(() => {
    const element = line.current;
    const link = element?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!element || !link || element.scrollWidth <= element.clientWidth) return;
    element.scrollLeft = link.offsetLeft - element.offsetLeft - (element.clientWidth - link.offsetWidth) / 2;
  }, [line, current]);
}
