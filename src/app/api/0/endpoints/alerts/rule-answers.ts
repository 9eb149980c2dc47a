import { z } from 'zod';
import { ISSUE_RULE } from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import { METRIC_RULE } from '#app/api/0/endpoints/alerts/metric-rule-shape.ts';

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
    issues: z.array(
      z.object({ id: z.string(), shortId: z.string(), title: z.string(), firings: z.number() }),
    ),
    issuesTotal: z.number(),
  })
  .meta({ id: 'RulePreview' });
