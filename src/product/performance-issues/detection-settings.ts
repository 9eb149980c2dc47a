import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getIngestSettings, replaceIngestSettings } from '#product/project-settings.ts';
import type { PerformanceSettings } from '#protocol/ingest-settings.ts';
import { isPerformanceIssueType, PERFORMANCE_ISSUE_TYPES } from '#protocol/performance-issue.ts';

/** Throws NotFound when the organization has no such project that the actor may see. */
export async function getDetectionSettings(ctx: Context, projectSlug: string): Promise<PerformanceSettings> {
  return (await getIngestSettings(ctx, projectSlug)).settings.performance;
}

/** Changes what is looked for in transactions digested from now on. Throws Invalid, naming the detector, and NotFound. */
export async function updateDetectionSettings(
  ctx: Context,
  input: { projectSlug: string; change: Partial<PerformanceSettings> },
): Promise<PerformanceSettings> {
  requireRight(ctx, 'project:write');
  const { project, settings } = await getIngestSettings(ctx, input.projectSlug);
  const { isEnabled, disabledDetectors } = { ...settings.performance, ...input.change };
  const unknown = disabledDetectors.find((type) => !isPerformanceIssueType(type));
  if (unknown !== undefined) {
    throw invalid(
      `"${unknown}" is not a detector: choose from ${PERFORMANCE_ISSUE_TYPES.join(', ')}`,
      'disabledDetectors',
    );
  }
  const performance: PerformanceSettings = {
    isEnabled: isEnabled === true,
    disabledDetectors: PERFORMANCE_ISSUE_TYPES.filter((type) => disabledDetectors.includes(type)),
  };
  return replaceIngestSettings(ctx, project, 'performance', performance, {
    action: 'project.performance-detection.edit',
    data: { ...performance },
  });
}
