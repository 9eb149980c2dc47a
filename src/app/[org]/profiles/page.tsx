import { redirect } from 'next/navigation';
import type { PageRequest } from '#app/url-state.ts';

/** The list of profiles is part of Explore. */
export default async function ProfilesPage({ params }: PageRequest<'org'>) {
  redirect(`/${(await params).org}/explore/profiles`);
}
