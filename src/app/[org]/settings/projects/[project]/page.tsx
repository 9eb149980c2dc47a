import type { Metadata } from 'next';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { PLATFORMS, platformName } from '#app/[org]/projects/platforms.ts';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { DeleteProject } from './general/delete-project.tsx';
import { ProjectForm } from './general/project-form.tsx';

export async function generateMetadata({
  params,
}: {
  params: Promise<{ project: string }>;
}): Promise<Metadata> {
  return { title: `Settings of ${(await params).project}` };
}

/** What a project is called, where SDKs send to, and its end. */
export default async function ProjectSettingsPage({
  params,
}: {
  params: Promise<{ org: string; project: string }>;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  const { project, dsn } = await loadProject(ctx, slug);
  const now = ctx.now();
  const canChange = hasRight(ctx.actor, 'project:write') && !project.isInternal;
  return (
    <PageBody width="narrow">
      <PageHeader
        title="General"
        description="How the project is known to people, to SDKs and to the API."
        actions={<ButtonLink href={`/${org}/projects/${slug}`}>Project</ButtonLink>}
      />
      <div className="flex flex-col gap-5">
        <Card id="project" title="Project">
          <ProjectForm
            // After a change of the slug this is the page of another address.
            key={project.slug}
            orgSlug={org}
            project={{ name: project.name, slug: project.slug, platform: project.platform ?? '' }}
            platforms={platformOptions(project.platform)}
            canChange={canChange}
          />
        </Card>
        <Card id="facts" title="Facts">
          <KeyValues
            rows={[
              { key: 'id', name: 'Number', value: <span className="mono">{project.id}</span> },
              { key: 'created', name: 'Created', value: <RelativeTime at={project.createdAt} now={now} /> },
              {
                key: 'first-event',
                name: 'First event',
                value:
                  project.firstEventAt === null ? (
                    'None yet'
                  ) : (
                    <RelativeTime at={project.firstEventAt} now={now} />
                  ),
              },
            ]}
          />
        </Card>
        <Card
          id="dsn"
          title="Where SDKs send to"
          actions={
            <Link
              href={`/${org}/settings/projects/${slug}/keys`}
              className="text-accent text-sm underline underline-offset-2"
            >
              All client keys
            </Link>
          }
        >
          {dsn === null ? (
            <Notice tone="warning" title="No key is active">
              Nothing that this project's programs send is accepted. Enable a key or create one.
            </Notice>
          ) : (
            <CodeBlock text={dsn} label="the DSN" />
          )}
        </Card>
        {hasRight(ctx.actor, 'project:admin') && !project.isInternal ? (
          <Card id="delete" title="Delete this project">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="max-w-[60ch] text-sm text-text-muted">
                With all issues and events. What was counted of them in the stats stays.
              </p>
              <DeleteProject orgSlug={org} slug={project.slug} />
            </div>
          </Card>
        ) : null}
      </div>
    </PageBody>
  );
}

/** The known platforms, and the one of the project when it is none of them. */
function platformOptions(current: string | null): { value: string; label: string }[] {
  const known = PLATFORMS.map(({ id, name }) => ({ value: id, label: name }));
  if (current !== null && !known.some(({ value }) => value === current)) {
    known.unshift({ value: current, label: platformName(current) });
  }
  return [{ value: '', label: 'Not chosen' }, ...known];
}
