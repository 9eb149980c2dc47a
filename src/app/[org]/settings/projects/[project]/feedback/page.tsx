import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { type PageRequest, withQuery } from '#app/url-state.ts';
import { getFeedbackForm } from '#product/feedback/feedback-form.ts';
import { hasRight } from '#product/permissions.ts';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { saveFeedbackFormAction } from './actions.ts';
import { FEEDBACK_FIELDS } from './feedback-fields.ts';

export const metadata: Metadata = { title: 'Feedback' };

/** Whether the project has a form for everybody, and where. */
export default async function FeedbackSettings({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const { url } = await getFeedbackForm(ctx, slug);
  const canChange = hasRight(ctx.actor, 'project:write');
  return (
    <SettingsPage
      title="Feedback"
      description="Feedback also arrives through the widget and the crash report dialog of an SDK."
      lockedNote={canChange ? null : 'Ask an admin to change the feedback form.'}
    >
      <Card id="form" title="Feedback form">
        {url === null ? null : (
          <p className="break-anything mb-4 flex flex-wrap items-center gap-x-1 text-sm">
            <TextLink href={url}>{url}</TextLink>
            <CopyButton size="sm" variant="ghost" text={url} label="Copy the link of the form" />
          </p>
        )}
        <FieldsForm
          fields={FEEDBACK_FIELDS}
          values={{ isEnabled: url !== null }}
          save={
            canChange
              ? {
                  action: saveFeedbackFormAction.bind(null, org, { projectSlug: slug }),
                  label: 'Save',
                  doneTitle: 'Feedback form saved',
                }
              : null
          }
        />
      </Card>
      <p className="text-text-muted text-xs">
        <TextLink href={withQuery(`/${org}/feedback`, { project: slug })}>Feedback of this project</TextLink>
      </p>
    </SettingsPage>
  );
}
