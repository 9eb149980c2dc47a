'use client';

import { usePathname } from 'next/navigation';
import { useRef } from 'react';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { useCurrentInView } from '#ui/tabs.tsx';

const PAGES = [
  { href: '/account', label: 'Profile' },
  { href: '/account/security', label: 'Security' },
  { href: '/account/passkeys', label: 'Passkeys' },
  { href: '/account/sessions', label: 'Sessions' },
  { href: '/account/tokens', label: 'Tokens' },
  { href: '/account/notifications', label: 'Notifications' },
] as const;

/** Beside the pages of the account; above them on phones. */
export function AccountNavigation() {
  const pathname = usePathname();
  const line = useRef<HTMLElement>(null);
  useCurrentInView(line, pathname);
  return (
    <nav
      ref={line}
      aria-label="Account"
      className="flex shrink-0 gap-0.5 overflow-x-auto border-b px-2 py-2 sm:w-48 sm:flex-col sm:border-b-0 sm:px-3 sm:py-6"
    >
      {PAGES.map(({ href, label }) => {
        const isCurrent = pathname === href;
        return (
          <Link
            key={href}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            className={cx(
              'flex h-8 shrink-0 items-center rounded-md px-2 text-sm sm:px-2.5 no-underline transition-colors',
              isCurrent
                ? 'bg-surface-pressed font-medium text-text'
                : 'text-text-muted hover:bg-surface-hover hover:text-text',
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
