import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { valuesOf } from '#app/forms/fields.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { type PageRequest, withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { type DetectionBudget, getDetectionBudget } from '#product/performance-issues/detection-budget.ts';
import { getDetectionSettings } from '#product/performance-issues/detection-settings.ts';
import { hasRight } from '#product/permissions.ts';
import { PERFORMANCE_ISSUE_TYPES } from '#protocol/performance-issue.ts';
import { Card } from '#ui/card.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { saveDetectionAction } from './actions.ts';
import { DETECTOR_FIELDS } from './detector-fields.ts';

export const metadata: Metadata = { title: 'Performance issues' };

export default async function PerformanceIssuesPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const [settings, budget] = await Promise.all([
    getDetectionSettings(ctx, slug),
    orUnavailable(getDetectionBudget(ctx, slug)),
  ]);
  const canChange = hasRight(ctx.actor, 'project:write');
  const values = {
    isEnabled: settings.isEnabled,
    ...Object.fromEntries(
      PERFORMANCE_ISSUE_TYPES.map((type) => [type, !settings.disabledDetectors.includes(type)]),
    ),
  };
  return (
    <SettingsPage
      title="Performance issues"
      description="Problems found in the spans of this project’s transactions. They count against no quota."
      lockedNote={canChange ? null : 'Ask an admin to change what is detected.'}
    >
      {settings.isEnabled && budget.ok ? <PausedNotice budget={budget.value} now={ctx.now()} /> : null}
      <Card id="detectors" title="Detectors">
        <FieldsForm
          fields={DETECTOR_FIELDS}
          values={valuesOf(DETECTOR_FIELDS, values)}
          save={
            canChange
              ? {
                  action: saveDetectionAction.bind(null, org, { projectSlug: slug }),
                  label: 'Save detectors',
                  doneTitle: 'Detectors saved. They take effect within a few seconds.',
                }
              : null
          }
        />
      </Card>
      <p className="max-w-[75ch] text-text-muted text-xs">
        Transactions and segments are examined with the spans that arrive in the same request.{' '}
        {budget.ok ? budgetText(budget.value) : null}{' '}
        <TextLink href={withQuery(`/${org}/issues`, { project: slug, query: 'issue.category:performance' })}>
          Performance issues of this project
        </TextLink>
      </p>
    </SettingsPage>
  );
}

const budgetText = ({ spent, perHour }: DetectionBudget): string =>
  `${formatExact(spent)} of ${formatExact(perHour)} events were detected in this clock hour; at the limit, detection pauses until the next hour.`;

function PausedNotice({ budget, now }: { budget: DetectionBudget; now: number }) {
  if (budget.spent < budget.perHour) return null;
  return (
    <Notice tone="warning" title="Detection is paused">
      This project reached {formatExact(budget.perHour)} detected events in this clock hour. Detection resumes{' '}
      <RelativeTime at={budget.renewsAt} now={now} />.
    </Notice>
  );
}
