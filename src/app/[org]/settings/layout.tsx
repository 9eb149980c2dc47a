import type { ReactNode } from 'react';
import { getRequestContext } from '#app/request-context.ts';
import { OrganizationNavigation } from './organization-navigation.tsx';
import { settingsGroups } from './settings-sections.ts';

export default async function SettingsLayout({
  params,
  children,
}: {
  params: Promise<{ org: string }>;
  children: ReactNode;
}) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  return (
    <div className="mx-auto flex w-full max-w-[1200px] flex-col md:flex-row">
      <OrganizationNavigation base={`/${org}/settings`} groups={settingsGroups(ctx)} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
