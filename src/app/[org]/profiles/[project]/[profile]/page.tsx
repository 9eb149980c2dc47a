import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { openProfile } from '#product/profiles/open-profile.ts';
import { getServices } from '#product/services.ts';
import { ProfileScreen } from '../../profile-screen.tsx';

export async function generateMetadata({ params }: PageRequest<'profile'>): Promise<Metadata> {
  return { title: `Profile ${(await params).profile.slice(0, 8)}` };
}

/** What one transaction ran, by thread. */
export default async function ProfilePage({
  params,
  searchParams,
}: PageRequest<'org' | 'project' | 'profile'>) {
  const { org, project, profile } = await params;
  const threadId = firstValue(await searchParams, 'thread');
  const ctx = await getRequestContext(org);
  return (
    <ProfileScreen
      organizationSlug={org}
      projectSlug={project}
      now={ctx.now()}
      opening={openProfile(ctx, getServices().symbols, {
        projectSlug: project,
        profileId: profile,
        threadId,
      })}
    />
  );
}
