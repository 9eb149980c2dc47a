import { isErrataError, unavailable } from '#lib/errors.ts';
import { settle } from '#lib/settle.ts';
import type { AlertRuleRow } from '#product/alerts/alert-rights.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import type { Context } from '#product/context.ts';
import type { MetricAlert } from '#storage/ports/alert-rules.ts';
import { Notice } from '#ui/notice.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { MeasureChart, type ThresholdLine } from '../measure-chart.tsx';

/** The measure of a rule in the last 14 days, with its thresholds. */
export async function Measured({
  ctx,
  row: { rule, project },
  definition,
}: {
  ctx: Context;
  row: AlertRuleRow;
  definition: MetricAlert;
}) {
  const { environment } = rule;
  const preview = await settle(
    previewAlertRule(ctx, { projectSlug: project.slug, environment, definition }).catch(unmeasurable),
  );
  if (!preview.ok) {
    return (
      <Notice tone="warning" title="It cannot be measured now" actions={<ReloadButton />}>
        {preview.reason}
      </Notice>
    );
  }
  const thresholds = (['critical', 'warning', 'resolve'] as const).flatMap((name): ThresholdLine[] => {
    const value = definition[name];
    return value === null ? [] : [{ name, value }];
  });
  return (
    <MeasureChart
      measure={definition.measure}
      buckets={preview.value.buckets}
      states={preview.value.states}
      thresholds={thresholds}
    />
  );
}

/** A search that was good when the rule was made, and is not any more, is told like a store that is away. */
function unmeasurable(error: unknown): never {
  if (isErrataError(error) && error.code === 'invalid') throw unavailable(error.message);
  throw error;
}
