import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import { valuesOf } from '#app/forms/fields.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { PLATFORMS, platformName } from '#domain/platforms.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { deleteProjectAction, saveProjectAction } from './project-actions.ts';
import { PROJECT_FIELDS } from './project-fields.ts';

export async function generateMetadata({ params }: PageRequest<'project'>): Promise<Metadata> {
  return { title: `${(await params).project} settings` };
}

export default async function ProjectSettingsPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx, project, dsn } = await loadProjectPage(params);
  const now = ctx.now();
  const canChange = hasRight(ctx.actor, 'project:write') && !project.isInternal;
  return (
    <SettingsPage
      title="General"
      description="The name, slug and DSN of this project."
      actions={<ButtonLink href={`/${org}/projects/${slug}`}>Project</ButtonLink>}
    >
      <Card id="project" title="Project">
        <FieldsForm
          // After a change of the slug this is the page of another address.
          key={project.slug}
          fields={{
            ...PROJECT_FIELDS,
            platform: { ...PROJECT_FIELDS.platform, options: platformOptions(project.platform) },
          }}
          values={valuesOf(PROJECT_FIELDS, project)}
          save={
            canChange
              ? {
                  action: saveProjectAction.bind(null, org, { projectSlug: project.slug }),
                  label: 'Save project',
                  doneTitle: 'Project saved',
                }
              : null
          }
        />
      </Card>
      <Card id="facts" title="Details">
        <KeyValues
          rows={[
            { key: 'id', name: 'ID', value: <span className="mono">{project.id}</span> },
            { key: 'created', name: 'Created', value: <RelativeTime at={project.createdAt} now={now} /> },
            {
              key: 'first-event',
              name: 'First event',
              value:
                project.firstEventAt === null ? (
                  'Not yet'
                ) : (
                  <RelativeTime at={project.firstEventAt} now={now} />
                ),
            },
          ]}
        />
      </Card>
      <Card
        id="dsn"
        title="DSN"
        actions={
          <TextLink href={`/${org}/settings/projects/${slug}/keys`} className="text-sm">
            All client keys
          </TextLink>
        }
      >
        {dsn === null ? (
          <Notice tone="warning" title="No active keys">
            Events sent to this project are rejected. Enable a key or create one.
          </Notice>
        ) : (
          <CodeBlock text={dsn} label="the DSN" />
        )}
      </Card>
      {hasRight(ctx.actor, 'project:admin') && !project.isInternal ? (
        <Card id="delete" title="Delete project">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[60ch] text-sm text-text-muted">
              Permanently deletes the project with its issues and events. Its usage statistics are kept.
            </p>
            <ConfirmAction
              action={deleteProjectAction.bind(null, org, project.slug)}
              label="Delete project"
              title={`Delete the project ${slug}?`}
              description="Its issues, events, client keys and settings are deleted. Events sent to it are rejected right away. This cannot be undone."
              confirmLabel="Delete project"
              doneTitle={`Deleted: ${slug}`}
              typed={project.slug}
              variant="danger"
            />
          </div>
        </Card>
      ) : null}
    </SettingsPage>
  );
}

/** The known platforms, and the one of the project when it is none of them. */
function platformOptions(current: string | null): { value: string; label: string }[] {
  const known = PLATFORMS.map(({ id, name }) => ({ value: id, label: name }));
  if (current !== null && !known.some(({ value }) => value === current)) {
    known.unshift({ value: current, label: platformName(current) });
  }
  return [{ value: '', label: 'None' }, ...known];
}
