import type { Metadata } from 'next';
import { loadFormOptions, loadRule } from '#app/[org]/alerts/load-rule.ts';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { draftOfRule } from '../../rule-form/rule-draft.ts';
import { RuleForm } from '../../rule-form/rule-form.tsx';

export const metadata: Metadata = { title: 'Edit alert rule' };

export default async function EditAlertPage({ params }: PageRequest<'org' | 'alert'>) {
  const { org, alert } = await params;
  const ctx = await getRequestContext(org);
  const { rule, project } = await loadRule(ctx, alert);
  const title = `Edit ${visibleText(rule.name)}`;
  if (!canChangeAlerts(ctx)) {
    return (
      <Page title={title}>
        <Notice
          title="You don’t have permission to edit rules"
          actions={<ButtonLink href={`/${org}/alerts/${rule.id}`}>Back to rule</ButtonLink>}
        >
          Ask an organization admin to make the change or to give you the admin role.
        </Notice>
      </Page>
    );
  }
  return (
    <Page title={title} description="Past alerts stay in the history.">
      <RuleForm
        organizationSlug={org}
        projects={[{ slug: project.slug, name: project.name }]}
        projectSlug={project.slug}
        ruleId={rule.id}
        initial={draftOfRule(rule)}
        options={await loadFormOptions(ctx, project.slug)}
      />
    </Page>
  );
}
