import type { Project } from '#domain/projects.ts';
import type { IngestSettings } from '#protocol/ingest-settings.ts';
import { type AuditedChange, audited, projectTarget } from './audit/audited.ts';
import type { Context } from './context.ts';
import { getProject, projectNotFound } from './visible-projects.ts';

/** A project with its own ingest settings. Throws NotFound when the actor may not see such a project. */
export async function getIngestSettings(
  ctx: Context,
  projectSlug: string,
): Promise<{ project: Project; settings: IngestSettings }> {
  const project = await getProject(ctx, projectSlug);
  const settings = await ctx.stores.ingestSettings.findProject(ctx.organization.id, project.id);
  if (!settings) throw projectNotFound(ctx, projectSlug);
  return { project, settings };
}

/** Replaces one part of a project's ingest settings, and answers it as it is now. Throws NotFound. */
export function replaceIngestSettings<Part extends keyof IngestSettings>(
  ctx: Context,
  project: Project,
  part: Part,
  value: IngestSettings[Part],
  entry: Pick<AuditedChange, 'action' | 'data'>,
): Promise<IngestSettings[Part]> {
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.ingestSettings.updateProject(ctx.organization.id, project.id, {
        [part]: value,
      });
      if (!updated) throw projectNotFound(ctx, project.slug);
      return updated[part];
    },
    () => ({ ...entry, target: projectTarget(project) }),
  );
}
