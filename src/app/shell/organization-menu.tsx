'use client';

import { Building2, Check, ChevronsUpDown, Plus } from 'lucide-react';
import { cx } from '#ui/cx.ts';
import { Logo } from '#ui/logo.tsx';
import { Menu, MenuLink, MenuSeparator, MenuText } from '#ui/menu.tsx';
import { Link } from '#ui/navigation/link.tsx';

type NamedSlug = { slug: string; name: string };

/**
 * The current organization. A menu for whoever can switch to another one or create one; for everybody else a link to its
 * issues.
 */
export function OrganizationMenu({
  current,
  organizations,
  canCreate,
  labelClass,
}: {
  current: NamedSlug;
  organizations: readonly NamedSlug[];
  canCreate: boolean;
  labelClass: string;
}) {
  const className =
    'flex h-9 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left text-sm font-semibold text-text no-underline hover:bg-surface-pressed data-popup-open:bg-surface-pressed';
  const name = (
    <bdi className={cx('min-w-0 flex-1 truncate', labelClass)} title={current.name}>
      {current.name}
    </bdi>
  );
  if (organizations.length < 2 && !canCreate) {
    return (
      <Link href={`/${current.slug}/issues`} className={className} aria-label={`${current.name}, issues`}>
        <Logo />
        {name}
      </Link>
    );
  }
  return (
    <Menu
      trigger={
        <button type="button" className={className} aria-label={`Organization ${current.name}, switch`}>
          <Logo />
          {name}
          <ChevronsUpDown aria-hidden className={cx('size-3.5 shrink-0 text-text-muted', labelClass)} />
        </button>
      }
    >
      <MenuText>Organizations</MenuText>
      {organizations.map(({ slug, name }) => (
        <MenuLink
          key={slug}
          href={`/${slug}/issues`}
          icon={<Building2 aria-hidden />}
          hint={slug === current.slug ? <Check aria-label="(current)" /> : null}
        >
          <bdi className="block truncate">{name}</bdi>
          <span className="mono block truncate text-text-muted text-xs">{slug}</span>
        </MenuLink>
      ))}
      {canCreate ? (
        <>
          <MenuSeparator />
          <MenuLink href="/organizations/new" icon={<Plus aria-hidden />}>
            Create organization
          </MenuLink>
        </>
      ) : null}
    </Menu>
  );
}
