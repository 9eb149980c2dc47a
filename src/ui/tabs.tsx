import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Link } from './link.tsx';

export type TabLink = { href: string; label: ReactNode; count?: string; isCurrent: boolean };

/** Views of one thing, each with its own address. `label` names the group. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className="-mb-px flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none]">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={tab.isCurrent ? 'page' : undefined}
          className={cx(
            'flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-2 text-sm no-underline transition-colors focus-visible:outline-offset-[-2px]',
            tab.isCurrent
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-muted hover:text-text',
          )}
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
