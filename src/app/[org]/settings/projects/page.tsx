import { ChevronRight, FolderPlus } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { platformName } from '#domain/platforms.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ListCard } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { PlatformLogo } from '#ui/platform-logo/platform-logo.tsx';

export const metadata: Metadata = { title: 'Projects' };

export default async function ProjectSettingsListPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const projects = await listProjects(await getRequestContext(org));
  return (
    <SettingsPage
      title="Projects"
      description="Client keys, alerts, ownership, grouping, filters and limits are settings of each project."
    >
      <ListCard
        id="projects"
        empty={
          <EmptyState icon={<FolderPlus />} title="No projects yet">
            Create a project for your app to get its DSN and setup code.
          </EmptyState>
        }
      >
        {projects.map(({ id, slug, name, platform }) => (
          <li key={id}>
            <Link
              href={`/${org}/settings/projects/${slug}`}
              className="flex items-center gap-3 px-4 py-2.5 text-sm no-underline transition-colors hover:bg-surface-hover focus-visible:outline-offset-[-2px]"
            >
              <PlatformLogo platform={platform} label={null} />
              <span className="min-w-0 flex-1">
                <bdi className="block truncate font-medium">{name}</bdi>
                <span className="block truncate text-text-muted text-xs">
                  {slug} · {platformName(platform)}
                </span>
              </span>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-text-muted" />
            </Link>
          </li>
        ))}
      </ListCard>
    </SettingsPage>
  );
}
