import { conflict } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { MetricState } from '#storage/ports/alert-rules.ts';
import { parseAlertDefinition } from '../alert-definition.ts';
import { requireAlertRead } from '../alert-rights.ts';
import { previewIssueAlert } from './preview-issue-alert.ts';
import { previewMetricAlert } from './preview-metric-alert.ts';

/** Each holds events in memory and keeps the stores busy. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 10;
export const PREVIEW_DAYS = 14;

/** What a rule would have done in the last 14 days. */
export type AlertPreview = {
  kind: 'issue' | 'metric';
  /** How often it would have fired; of a metric, how often it would have become a warning or critical. */
  firings: number;
  /** Why `firings` is an estimate, in sentences; empty when it is exact. */
  estimates: readonly string[];
  isEstimate: boolean;
  /** Firings a day; of a metric its measure, null where there was nothing to measure. Oldest first. */
  buckets: { fromMs: number; bucketMs: number; values: readonly (number | null)[] };
  /** Of a metric, what it would have been in each bucket; empty otherwise. */
  states: readonly MetricState[];
  /** Those that it would have fired for most, at most ten; empty for a metric. */
  issues: readonly { id: number; shortId: string; title: string; firings: number }[];
  /** Of those that were looked at. */
  issuesTotal: number;
};

let waiting = 0;

/** Keeps nothing. Throws Invalid, naming the field, NotFound, and Conflict when too many previews run at once. */
export async function previewAlertRule(
  ctx: Context,
  input: { projectSlug: string; environment: string | null; definition: unknown },
): Promise<AlertPreview> {
  requireAlertRead(ctx);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw new Error(`The project ${input.projectSlug} is neither there nor missing`);
  const environment = input.environment?.trim() || null;
  const definition = parseAlertDefinition(input.definition);
  const toMs = ctx.now();
  const range = { fromMs: toMs - PREVIEW_DAYS * DAY_MS, toMs };
  if (waiting >= WAITING_MAX) throw conflict('Other previews are running: try again in a moment');
  waiting += 1;
  try {
    return await runPreview(() =>
      definition.kind === 'issue'
        ? previewIssueAlert(ctx, project, { environment, definition, range })
        : previewMetricAlert(ctx, project, { environment, definition, range }),
    );
  } finally {
    waiting -= 1;
  }
}

const runPreview = limitConcurrency((preview: () => Promise<AlertPreview>) => preview(), AT_ONCE_MAX);
