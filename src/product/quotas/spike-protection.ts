import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getIngestSettings, replaceIngestSettings } from '#product/project-settings.ts';
import { getProject } from '#product/visible-projects.ts';
import type { SpikeSettings } from '#protocol/ingest-settings.ts';

export async function getSpikeProtection(ctx: Context, projectSlug: string): Promise<SpikeSettings> {
  return (await getIngestSettings(ctx, projectSlug)).settings.spike;
}

const BODIES_PER_HOUR = { min: 10, max: 1_000_000 } as const;

const SPIKE = z.strictObject({
  isEnabled: z.boolean(),
  bodiesPerHour: z.int().min(BODIES_PER_HOUR.min).max(BODIES_PER_HOUR.max),
});

/** Decides of how many events an issue's bodies are all kept. Throws Invalid, naming the field, and NotFound. */
export async function updateSpikeProtection(
  ctx: Context,
  input: { projectSlug: string; spike: SpikeSettings },
): Promise<SpikeSettings> {
  requireRight(ctx, 'project:write');
  const parsed = SPIKE.safeParse(input.spike);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? '');
    throw field === 'bodiesPerHour'
      ? invalid(
          `The threshold must be a whole number of events per hour from ${BODIES_PER_HOUR.min} to ${BODIES_PER_HOUR.max}`,
          field,
        )
      : invalid('Spike protection accepts only the fields isEnabled and bodiesPerHour', field);
  }
  const project = await getProject(ctx, input.projectSlug);
  return replaceIngestSettings(ctx, project, 'spike', parsed.data, {
    action: 'project.spike-protection.edit',
    data: parsed.data,
  });
}
