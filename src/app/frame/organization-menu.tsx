'use client';

import { Check, ChevronsUpDown } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { cx } from '#ui/cx.ts';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Logo } from './logo.tsx';

/** The organization at the top of the side bar; a menu when the user is in more than one. */
export function OrganizationMenu({
  current,
  organizations,
  wordsClass,
}: {
  current: { slug: string; name: string };
  organizations: readonly { slug: string; name: string }[];
  wordsClass: string;
}) {
  const router = useRouter();
  const look =
    'flex h-9 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left text-sm font-semibold text-text no-underline hover:bg-surface-pressed';
  const words = (
    <bdi className={cx('min-w-0 flex-1 truncate', wordsClass)} title={current.name}>
      {current.name}
    </bdi>
  );
  if (organizations.length < 2) {
    return (
      <Link href={`/${current.slug}/issues`} className={look} aria-label={`${current.name}, issues`}>
        <Logo />
        {words}
      </Link>
    );
  }
  return (
    <Menu
      trigger={
        <button type="button" className={look} aria-label={`Organization ${current.name}, change`}>
          <Logo />
          {words}
          <ChevronsUpDown aria-hidden className={cx('size-3.5 shrink-0 text-text-muted', wordsClass)} />
        </button>
      }
    >
      {organizations.map((organization) => (
        <MenuItem
          key={organization.slug}
          onSelect={() => router.push(`/${organization.slug}/issues`)}
          hint={organization.slug === current.slug ? <Check aria-label="current" /> : null}
        >
          <bdi>{organization.name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  );
}
