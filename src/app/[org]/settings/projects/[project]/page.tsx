import type { Metadata } from 'next';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { PlatformMark } from '#app/[org]/projects/platform-mark.tsx';
import { platformName } from '#app/[org]/projects/platforms.ts';
import { getRequestContext } from '#app/request-context.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

export async function generateMetadata({
  params,
}: {
  params: Promise<{ project: string }>;
}): Promise<Metadata> {
  return { title: `Settings of ${(await params).project}` };
}

/** What a project is, and the first of its addresses. */
export default async function ProjectSettingsPage({
  params,
}: {
  params: Promise<{ org: string; project: string }>;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  const { project, dsn } = await loadProject(ctx, slug);
  const now = getServices().now();
  return (
    <PageBody width="narrow">
      <PageHeader
        title="General"
        description="How the project is known to people, to SDKs and to the API."
        actions={<ButtonLink href={`/${org}/projects/${slug}`}>Project</ButtonLink>}
      />
      <div className="flex flex-col gap-5">
        <Card id="project" title="Project">
          <KeyValues
            rows={[
              { key: 'name', name: 'Name', value: <bdi>{project.name}</bdi> },
              { key: 'slug', name: 'Slug', value: <span className="mono">{project.slug}</span> },
              { key: 'id', name: 'Number', value: <span className="mono">{project.id}</span> },
              {
                key: 'platform',
                name: 'Platform',
                value: (
                  <span className="flex items-center gap-2">
                    <PlatformMark platform={project.platform} />
                    {platformName(project.platform)}
                  </span>
                ),
              },
              {
                key: 'created',
                name: 'Created',
                value: <RelativeTime at={project.createdAt} now={now} />,
              },
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
      </div>
    </PageBody>
  );
}
