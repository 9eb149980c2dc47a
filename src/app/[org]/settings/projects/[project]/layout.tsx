import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import type { PageRequest } from '#app/url-state.ts';

/** Tells the settings of different projects apart in tabs of the browser. */
export async function generateMetadata({ params }: PageRequest<'project'>): Promise<Metadata> {
  const { project } = await params;
  return { title: { default: project, template: `%s · ${project} · Errata` } };
}

export default function ProjectSettingsLayout({ children }: { children: ReactNode }) {
  return children;
}
