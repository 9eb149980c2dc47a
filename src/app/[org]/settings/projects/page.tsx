import { redirect } from 'next/navigation';

/** The list of projects leads to the settings of each. */
export default async function ProjectSettingsListPage({ params }: { params: Promise<{ org: string }> }) {
  redirect(`/${(await params).org}/projects`);
}
