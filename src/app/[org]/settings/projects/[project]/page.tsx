import { redirect } from 'next/navigation';

/** The client keys are what a project has to set. */
export default async function ProjectSettingsPage({
  params,
}: {
  params: Promise<{ org: string; project: string }>;
}) {
  const { org, project } = await params;
  redirect(`/${org}/settings/projects/${project}/keys`);
}
