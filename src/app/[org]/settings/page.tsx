import { redirect } from 'next/navigation';

/** Settings belong to projects. */
export default async function SettingsPage({ params }: { params: Promise<{ org: string }> }) {
  redirect(`/${(await params).org}/projects`);
}
