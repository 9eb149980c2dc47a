import type { ReactNode } from 'react';
import { getRequestContext } from '#app/request-context.ts';
import { SettingsList } from './settings-list.tsx';
import { settingsSections } from './settings-sections.ts';

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
      <SettingsList base={`/${org}/settings`} sections={settingsSections(ctx)} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
