import { notFound } from '#lib/errors.ts';
import { audited, keyTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkKeyLabel } from './check-key-label.ts';
import { type KeyRateLimit, listProjectKeys, type ProjectKey } from './list-project-keys.ts';
import { checkKeyRateLimit, setKeyRateLimit } from './set-key-rate-limit.ts';

/**
 * Changes what is given of a key, named by its number or its public key, and answers the key as it is now. Edges know
 * it within seconds. Throws NotFound when the project has no such key, and Invalid, naming the field.
 */
export async function updateProjectKey(
  ctx: Context,
  input: {
    projectSlug: string;
    key: number | string;
    change: { label?: string; isActive?: boolean; rateLimit?: KeyRateLimit | null };
  },
): Promise<ProjectKey> {
  requireRight(ctx, 'project:write');
  const find = async (ctx: Context) =>
    (await listProjectKeys(ctx, input.projectSlug)).find(
      ({ id, publicKey }) => id === input.key || publicKey === input.key,
    );
  const key = await find(ctx);
  if (!key) throw keyNotFound(input);
  const { label, isActive, rateLimit } = input.change;
  const checkedLabel = label === undefined ? undefined : checkKeyLabel(label);
  if (rateLimit) checkKeyRateLimit(rateLimit);
  const organizationId = ctx.organization.id;
  return audited(
    ctx,
    async (ctx) => {
      if (checkedLabel !== undefined)
        await ctx.stores.projects.renameKey(organizationId, key.id, checkedLabel);
      if (isActive !== undefined) await ctx.stores.projects.setKeyActive(organizationId, key.id, isActive);
      if (rateLimit !== undefined) await setKeyRateLimit(ctx, key.id, rateLimit);
      const changed = await find(ctx);
      if (!changed) throw keyNotFound(input);
      return changed;
    },
    (after) => ({
      action: 'projectkey.edit',
      target: keyTarget(after),
      data: { project: input.projectSlug, from: factsOf(key), to: factsOf(after) },
    }),
  );
}

const factsOf = ({ label, isActive, rateLimit }: ProjectKey) => ({ label, isActive, rateLimit });

const keyNotFound = ({ projectSlug, key }: { projectSlug: string; key: number | string }) =>
  notFound(`The project ${projectSlug} has no client key ${String(key).slice(0, 40)}: reload the list`);
