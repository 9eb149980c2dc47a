import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getDeobfuscationFile } from './get-deobfuscation-file.ts';

/** Deletes a mapping; its bytes go within two hours. Throws NotFound. */
export async function deleteDeobfuscationFile(
  ctx: Context,
  input: { projectSlug: string; fileId: number },
): Promise<void> {
  requireRight(ctx, 'project:write');
  const file = await getDeobfuscationFile(ctx, input);
  await audited(
    ctx,
    (ctx) => ctx.stores.artifacts.deleteDeobfuscationFile(ctx.organization.id, file.projectId, file.id),
    () => ({
      action: 'deobfuscation-file.remove',
      target: { kind: 'deobfuscation_file', id: file.id, name: file.debugId },
      data: { project: input.projectSlug, name: file.name },
    }),
  );
}
