import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { getRequestContext, getSession, listOwnOrganizations } from '../request-context.ts';
import { SIDE_BAR_COOKIE, THEME_COOKIE } from '../request-names.ts';
import { FrameShell } from './frame-shell.tsx';
import { IngestBanner } from './ingest-banner.tsx';

/** Side bar and top bar around a page of an organization. */
export async function Frame({
  organizationSlug,
  children,
}: {
  organizationSlug: string;
  children: ReactNode;
}) {
  const [ctx, session] = await Promise.all([getRequestContext(organizationSlug), getSession()]);
  const organizations = await listOwnOrganizations(session.userId);
  const jar = await cookies();
  const theme = jar.get(THEME_COOKIE)?.value;
  return (
    <FrameShell
      organization={{ slug: ctx.organization.slug, name: ctx.organization.name }}
      organizations={organizations.map(({ slug, name }) => ({ slug, name }))}
      user={{ name: session.name, email: session.email }}
      theme={theme === 'light' || theme === 'dark' ? theme : 'system'}
      startsFolded={jar.get(SIDE_BAR_COOKIE)?.value === 'folded'}
      banner={<IngestBanner ctx={ctx} />}
    >
      {children}
    </FrameShell>
  );
}
