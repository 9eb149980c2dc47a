import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { signOutAction } from '#app/(account)/sign-out.ts';
import { findLastOrganization, getSession } from '#app/request-context.ts';
import { type SettingsGroup, SettingsNavigation } from '#app/shell/settings-navigation.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Logo } from '#ui/logo.tsx';
import { Link } from '#ui/navigation/link.tsx';

const PAGES: readonly SettingsGroup[] = [
  {
    label: 'Account',
    pages: [
      { path: '', label: 'Profile' },
      { path: 'notifications', label: 'Notifications' },
    ],
  },
  {
    label: 'Access',
    pages: [
      { path: 'security', label: 'Security' },
      { path: 'passkeys', label: 'Passkeys' },
      { path: 'sessions', label: 'Sessions' },
      { path: 'tokens', label: 'Tokens' },
    ],
  },
];

/** Layout of the account pages, which belong to no organization. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const session = await getSession();
  const organization = await findLastOrganization(session.userId);
  return (
    <div className="min-h-dvh">
      <a
        href="#main"
        className="-translate-y-16 fixed top-2 left-2 z-50 rounded-md bg-accent-solid px-3 py-2 font-medium text-on-solid text-sm focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-3 border-b bg-surface px-4 sm:px-6">
        <div className="flex min-w-0 items-center gap-3">
          <Logo className="size-6 shrink-0" />
          {organization ? (
            <Link
              href={`/${organization.slug}/issues`}
              className="flex min-w-0 items-center gap-1.5 text-sm text-text-muted no-underline hover:text-text"
            >
              <ArrowLeft aria-hidden className="size-4 shrink-0" />
              <span className="truncate">
                Back to <bdi>{organization.name}</bdi>
              </span>
            </Link>
          ) : null}
        </div>
        <form action={signOutAction} className="flex min-w-0 items-center gap-2.5">
          <Avatar name={session.name} />
          <bdi className="hidden min-w-0 truncate text-sm sm:block">{session.name}</bdi>
          <Button type="submit" size="sm">
            Sign out
          </Button>
        </form>
      </header>
      <div className="mx-auto flex max-w-[1104px] flex-col md:flex-row">
        <SettingsNavigation label="Account" base="/account" groups={PAGES} />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
    </div>
  );
}
