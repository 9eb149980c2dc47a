import { conflict } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { parseAlertDefinition } from '../alert-definition.ts';
import { requireAlertRead } from '../list-alert-rules.ts';
import type { AlertPreview } from './alert-preview.ts';
import { previewIssueAlert } from './preview-issue-alert.ts';
import { previewMetricAlert } from './preview-metric-alert.ts';

/** Each holds events in memory and keeps the stores busy. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 10;
export const PREVIEW_DAYS = 14;

let waiting = 0;

/** Keeps nothing. Throws Invalid, naming the field, NotFound, and Conflict when too many previews run at once. */
export async function previewAlertRule(
  ctx: Context,
  input: { projectSlug: string; environment: string | null; definition: unknown },
): Promise<AlertPreview> {
  requireAlertRead(ctx);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw new Error(`Project ${input.projectSlug} was expected but not loaded`);
  const environment = input.environment?.trim() || null;
  const definition = parseAlertDefinition(input.definition);
  const toMs = ctx.now();
  const range = { fromMs: toMs - PREVIEW_DAYS * DAY_MS, toMs };
  if (waiting >= WAITING_MAX) throw conflict('Other previews are in progress: try again in a moment');
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
