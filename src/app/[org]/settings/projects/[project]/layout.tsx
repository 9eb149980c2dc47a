import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { getRequestContext } from '#app/request-context.ts';
import { SettingsNavigation } from './settings-navigation.tsx';

/** Tells the settings of different projects apart in tabs of the browser. */
export async function generateMetadata({
  params,
}: {
  params: Promise<{ project: string }>;
}): Promise<Metadata> {
  const { project } = await params;
  return { title: { default: project, template: `%s · ${project} · Errata` } };
}

/** The settings of one project: which project, the pages beside each other, and one of them. */
export default async function ProjectSettingsLayout({
  params,
  children,
}: {
  params: Promise<{ org: string; project: string }>;
  children: ReactNode;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  const { project } = await loadProject(ctx, slug);
  return (
    <>
      <div className="border-b">
        <div className="mx-auto w-full max-w-[880px] px-4 pt-4 sm:px-6">
          <p className="break-anything text-sm text-text-muted">
            Settings of <bdi className="font-medium text-text">{project.name}</bdi>
          </p>
          <SettingsNavigation base={`/${org}/settings/projects/${slug}`} />
        </div>
      </div>
      {children}
    </>
  );
}
