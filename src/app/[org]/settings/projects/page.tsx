import { redirect } from 'next/navigation';
import type { PageRequest } from '#app/url-state.ts';

export default async function ProjectSettingsListPage({ params }: PageRequest<'org'>) {
  redirect(`/${(await params).org}/projects`);
}
