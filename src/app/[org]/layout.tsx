import type { ReactNode } from 'react';
import { Shell } from '../shell/load-shell.tsx';

export default async function OrganizationLayout({
  params,
  children,
}: {
  params: Promise<{ org: string }>;
  children: ReactNode;
}) {
  const { org } = await params;
  return <Shell organizationSlug={org}>{children}</Shell>;
}
