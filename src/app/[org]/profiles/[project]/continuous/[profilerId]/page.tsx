import type { Metadata } from 'next';
import { parseRange } from '#app/[org]/profile-href.ts';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { openContinuousProfile } from '#product/profiles/open-profile.ts';
import { getServices } from '#product/services.ts';
import { ProfileScreen } from '../../../profile-screen.tsx';

export async function generateMetadata({ params }: PageRequest<'profilerId'>): Promise<Metadata> {
  return { title: `Continuous profile ${(await params).profilerId.slice(0, 8)}` };
}

/** What a profiler saw in a range of time, by thread. */
export default async function ContinuousProfilePage({
  params,
  searchParams,
}: PageRequest<'org' | 'project' | 'profilerId'>) {
  const [{ org, project, profilerId }, search] = [await params, await searchParams];
  const ctx = await getRequestContext(org);
  const opening = openContinuousProfile(ctx, getServices().symbols, {
    projectSlug: project,
    profilerId,
    range: parseRange(firstValue(search, 'from'), firstValue(search, 'to')),
    threadId: firstValue(search, 'thread'),
  });
  return <ProfileScreen organizationSlug={org} projectSlug={project} now={ctx.now()} opening={opening} />;
}
