import { redirect } from 'next/navigation';
import type { PageRequest } from '#app/url-state.ts';

/** The list of projects leads to the settings of each. */
export default async function ProjectSettingsListPage({ params }: PageRequest<'org'>) {
  redirect(`/${(await params).org}/projects`);
}
