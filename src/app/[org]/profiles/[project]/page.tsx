import { redirect } from 'next/navigation';
import { type PageRequest, withQuery } from '#app/url-state.ts';

/** The profiles of a project are a list of Explore. */
export default async function ProjectProfilesPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, project } = await params;
  redirect(withQuery(`/${org}/explore/profiles`, { project }));
}
