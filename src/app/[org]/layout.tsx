import type { ReactNode } from 'react';
import { Frame } from '../frame/frame.tsx';

export default async function OrganizationLayout({
  params,
  children,
}: {
  params: Promise<{ org: string }>;
  children: ReactNode;
}) {
  const { org } = await params;
  return <Frame organizationSlug={org}>{children}</Frame>;
}
