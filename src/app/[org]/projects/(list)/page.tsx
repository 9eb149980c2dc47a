import { CircleCheck, FolderPlus, Hourglass, Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { PlatformMark } from '#app/[org]/projects/platform-mark.tsx';
import { platformName } from '#app/[org]/projects/platforms.ts';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { listProjectKeys } from '#product/projects/list-project-keys.ts';
import { listProjects } from '#product/projects/list-projects.ts';
import { getServices } from '#product/services.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

export const metadata: Metadata = { title: 'Projects' };

export default async function ProjectsPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const projects = await Promise.all(
    (await listProjects(ctx)).map(async (project) => {
      const keys = await listProjectKeys(ctx, project.slug);
      return { ...project, dsn: keys.find((key) => key.isActive)?.dsn ?? null };
    }),
  );
  const canCreate = hasRight(ctx.actor, 'project:write');
  const create = canCreate ? (
    <ButtonLink variant="primary" href={`/${org}/projects/new`}>
      <Plus aria-hidden className="size-4" />
      New project
    </ButtonLink>
  ) : null;
  const now = getServices().now();
  return (
    <PageBody>
      <PageHeader
        title="Projects"
        description="One for each program that reports its errors here. Each has its own DSN."
        actions={create}
      />
      {projects.length === 0 ? (
        <div className="rounded-lg border bg-surface-raised">
          <EmptyState icon={<FolderPlus />} title="No project yet" actions={create}>
            {canCreate
              ? 'Create one for your program. You get a DSN and the lines of code that go with it.'
              : 'Ask an admin of the organization to create one.'}
          </EmptyState>
        </div>
      ) : (
        <ul className="overflow-hidden rounded-lg border bg-surface-raised">
          {projects.map((project) => (
            <li
              key={project.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2.5 border-b px-4 py-3 last:border-b-0"
            >
              <div className="flex min-w-0 flex-1 basis-64 items-center gap-3">
                <PlatformMark platform={project.platform} />
                <div className="min-w-0">
                  <p className="flex min-w-0 items-center gap-2">
                    <Link
                      href={`/${org}/projects/${project.slug}`}
                      className="truncate font-medium text-text no-underline hover:underline"
                    >
                      <bdi>{project.name}</bdi>
                    </Link>
                    {project.isInternal ? (
                      <Badge title="Errors of Errata itself, seen by the owner of this instance only">
                        internal
                      </Badge>
                    ) : null}
                  </p>
                  <p className="truncate text-text-muted text-xs">
                    {project.slug} · {platformName(project.platform)}
                  </p>
                </div>
              </div>
              <div className="w-full min-w-0 md:w-72 xl:w-96">
                {project.dsn ? (
                  <DsnField dsn={project.dsn} label={`DSN of ${project.name}`} />
                ) : (
                  <Link
                    href={`/${org}/settings/projects/${project.slug}/keys`}
                    className="text-sm text-warning underline underline-offset-2"
                  >
                    No active client key
                  </Link>
                )}
              </div>
              <div className="flex w-full items-center justify-between gap-3 sm:w-auto">
                <p className="w-44 text-text-muted text-xs">
                  {project.firstEventAt === null ? (
                    <span className="flex items-center gap-1.5">
                      <Hourglass aria-hidden className="size-3.5" />
                      {project.isInternal ? 'no error so far' : 'waits for its first event'}
                    </span>
                  ) : (
                    <span className="flex items-center gap-1.5">
                      <CircleCheck aria-hidden className="size-3.5 text-success" />
                      <span>
                        first event <RelativeTime at={project.firstEventAt} now={now} />
                      </span>
                    </span>
                  )}
                </p>
                {project.firstEventAt === null && !project.isInternal ? (
                  <ButtonLink
                    size="sm"
                    className="w-20"
                    href={`/${org}/projects/${project.slug}/getting-started`}
                  >
                    Connect
                  </ButtonLink>
                ) : (
                  <ButtonLink size="sm" className="w-20" href={`/${org}/issues?project=${project.slug}`}>
                    Issues
                  </ButtonLink>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </PageBody>
  );
}
