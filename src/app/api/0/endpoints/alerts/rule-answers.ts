import { z } from 'zod';
import { ISSUE_RULE } from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import { METRIC_RULE } from '#app/api/0/endpoints/alerts/metric-rule-shape.ts';
import type { AlertPreview } from '#product/alerts/preview/alert-preview.ts';

export const COMBINED_RULE = z.discriminatedUnion('type', [
  ISSUE_RULE.extend({ type: z.literal('rule') }).meta({ id: 'CombinedIssueRule' }),
  METRIC_RULE.extend({ type: z.literal('alert_rule') }).meta({ id: 'CombinedMetricRule' }),
]);

/** When a rule would have fired in the past. */
export const RULE_PREVIEW = z
  .object({
    firings: z.number(),
    isEstimate: z.boolean(),
    /** Why it is one, in sentences. */
    estimates: z.array(z.string()),
    buckets: z.object({
      fromMs: z.number(),
      bucketMs: z.number(),
      values: z.array(z.number().nullable()),
    }),
    /** When it would have fired, oldest first; the newest 100. */
    alarms: z.array(
      z.object({
        fromMs: z.number(),
        /** null while it goes on; of an issue rule the same as `fromMs`. */
        toMs: z.number().nullable(),
        /** Of a metric rule. */
        state: z.enum(['warning', 'critical']).nullable(),
        /** Of a metric rule its worst value. */
        worst: z.number().nullable(),
        shortId: z.string().nullable(),
      }),
    ),
    alarmsTotal: z.number(),
    issues: z.array(
      z.object({ id: z.string(), shortId: z.string(), title: z.string(), firings: z.number() }),
    ),
    issuesTotal: z.number(),
  })
  .meta({ id: 'RulePreview' });

export const serializePreview = (preview: AlertPreview): z.infer<typeof RULE_PREVIEW> => ({
  firings: preview.firings,
  isEstimate: preview.isEstimate,
  estimates: [...preview.estimates],
  buckets: { ...preview.buckets, values: [...preview.buckets.values] },
  alarms: [...preview.alarms],
  alarmsTotal: preview.alarmsTotal,
  issues: preview.issues.map((issue) => ({ ...issue, id: String(issue.id) })),
  issuesTotal: preview.issuesTotal,
});
