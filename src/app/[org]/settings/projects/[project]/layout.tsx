import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import type { PageRequest } from '#app/url-state.ts';
import { SettingsNavigation } from './settings-navigation.tsx';

/** Tells the settings of different projects apart in tabs of the browser. */
export async function generateMetadata({ params }: PageRequest<'project'>): Promise<Metadata> {
  const { project } = await params;
  return { title: { default: project, template: `%s · ${project} · Errata` } };
}

export default async function ProjectSettingsLayout({
  params,
  children,
}: {
  params: PageRequest<'org' | 'project'>['params'];
  children: ReactNode;
}) {
  const { org, slug, project } = await loadProjectPage(params);
  return (
    <>
      <div className="border-b">
        <div className="mx-auto w-full max-w-[880px] px-4 pt-4 sm:px-6">
          <p className="break-anything text-sm text-text-muted">
            <bdi className="font-medium text-text">{project.name}</bdi> settings
          </p>
          <SettingsNavigation base={`/${org}/settings/projects/${slug}`} />
        </div>
      </div>
      {children}
    </>
  );
}
