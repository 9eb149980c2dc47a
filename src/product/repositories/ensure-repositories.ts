import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';

export const REPOSITORIES_MAX = 1_000;

/** Those that are not there are made, of an unknown provider. The number by name. Throws Invalid past the bound. */
export async function ensureRepositories(
  ctx: Context,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return new Map();
  const { repositories } = ctx.stores;
  const count = await repositories.count(ctx.organization.id);
  if (count + distinct.length > REPOSITORIES_MAX) {
    const known = await Promise.all(
      distinct.slice(0, REPOSITORIES_MAX).map((name) => repositories.findByName(ctx.organization.id, name)),
    );
    if (known.length < distinct.length || known.includes(null)) {
      throw invalid(
        `${ctx.organization.slug} has ${REPOSITORIES_MAX} repositories at most: delete some first`,
        'repository',
      );
    }
  }
  return repositories.ensure(ctx.organization.id, distinct, ctx.now());
}
