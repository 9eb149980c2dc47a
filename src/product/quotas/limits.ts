import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { audited, organizationTarget, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/visible-projects.ts';
import { type QuotaScope, windowStartMs } from '#protocol/rate-limits.ts';
import { factsOfKind, kindOfCategories, LIMIT_KINDS, type LimitKind } from './limit-kinds.ts';
import type { QuotaLimit, StoredQuota } from './store/stored-quotas.ts';

/** What all projects of the organization together may send. */
export async function getOrganizationLimits(ctx: Context): Promise<readonly LimitUse[]> {
  requireRight(ctx, 'org:read');
  const quotas = await ctx.stores.ingestSettings.listQuotas(ctx.organization.id);
  return describeLimits(
    ctx,
    'organization',
    ctx.organization.id,
    quotas.filter(({ owner }) => owner.scope === 'organization'),
  );
}

/** What all keys of a project together may send. */
export async function getProjectLimits(ctx: Context, projectSlug: string): Promise<readonly LimitUse[]> {
  const project = await getProject(ctx, projectSlug);
  const quotas = await ctx.stores.ingestSettings.listQuotas(ctx.organization.id);
  return describeLimits(
    ctx,
    'project',
    project.id,
    quotas.filter(({ owner }) => owner.scope === 'project' && owner.projectId === project.id),
  );
}

/** Replaces all limits of the organization; edges know them within seconds. Throws Invalid, naming the kind. */
export async function updateOrganizationLimits(
  ctx: Context,
  limits: readonly Limit[],
): Promise<readonly LimitUse[]> {
  requireRight(ctx, 'org:write');
  const checked = checkLimits(limits);
  const stored = await audited(
    ctx,
    (ctx) => ctx.stores.ingestSettings.replaceQuotas(ctx.organization.id, { scope: 'organization' }, checked),
    () => ({ action: 'org.quotas.edit', target: organizationTarget(ctx), data: { limits } }),
  );
  return describeLimits(ctx, 'organization', ctx.organization.id, stored);
}

/** Replaces all limits of a project; edges know them within seconds. Throws Invalid, naming the kind, and NotFound. */
export async function updateProjectLimits(
  ctx: Context,
  input: { projectSlug: string; limits: readonly Limit[] },
): Promise<readonly LimitUse[]> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const checked = checkLimits(input.limits);
  const owner = { scope: 'project', projectId: project.id } as const;
  const stored = await audited(
    ctx,
    (ctx) => ctx.stores.ingestSettings.replaceQuotas(ctx.organization.id, owner, checked),
    () => ({ action: 'project.quotas.edit', target: projectTarget(project), data: { limits: input.limits } }),
  );
  return describeLimits(ctx, 'project', project.id, stored);
}

/** At most `limit` items of a kind in each window. */
export type Limit = { kind: LimitKind; limit: number; windowSeconds: number };

const ITEMS_MAX = 1_000_000_000_000;
const WINDOW_SECONDS_MAX = 30 * 86_400;

const KINDS = LIMIT_KINDS.map(({ kind }) => kind) as [LimitKind, ...LimitKind[]];

const LIMIT = z.strictObject({
  kind: z.enum(KINDS),
  limit: z.int().min(0).max(ITEMS_MAX),
  windowSeconds: z.int().min(1).max(WINDOW_SECONDS_MAX),
});

/** The limits as they are stored. Throws Invalid, naming the kind as the field. */
export function checkLimits(limits: readonly unknown[]): QuotaLimit[] {
  const seen = new Set<LimitKind>();
  return limits.map((each) => {
    const { kind, limit, windowSeconds } = checkLimit(each);
    if (seen.has(kind)) throw invalid(`There are two limits for ${labelOf(kind)}: keep one`, kind);
    seen.add(kind);
    return { categories: factsOfKind(kind).categories, limit, windowSeconds };
  });
}

function checkLimit(value: unknown): Limit {
  const parsed = LIMIT.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const given = (value as { kind?: unknown } | null)?.kind;
  const kind = KINDS.find((known) => known === given);
  if (!kind) throw invalid(`The kind of a limit must be one of ${KINDS.join(', ')}`, 'kind');
  switch (issue?.path[0]) {
    case 'limit':
      throw invalid(
        `The limit for ${labelOf(kind)} must be a whole number from 0 (reject all) to ${ITEMS_MAX}`,
        kind,
      );
    case 'windowSeconds':
      throw invalid(
        `The window for ${labelOf(kind)} must be a whole number of seconds from 1 to ${WINDOW_SECONDS_MAX} (30 days)`,
        kind,
      );
    default:
      throw invalid(
        `The limit for ${labelOf(kind)} has unknown fields: use only kind, limit, and windowSeconds`,
        kind,
      );
  }
}

const labelOf = (kind: LimitKind): string => factsOfKind(kind).label.toLowerCase();

/** A limit with how far it is used up. */
export type LimitUse = Limit & {
  /** Items that were accepted in this window; null for windows under an hour, which only the edge counts. */
  used: number | null;
  /** Milliseconds since the epoch: when the window ends and counting begins anew. */
  windowEndsAt: number;
};

/** Outcomes are kept by the hour. */
const COUNTED_WINDOW_SECONDS_MIN = 3_600;

/** The limits of one owner, with their use. */
export async function describeLimits(
  ctx: Context,
  scope: QuotaScope,
  ownerId: number,
  quotas: readonly StoredQuota[],
): Promise<LimitUse[]> {
  const now = ctx.now();
  const counted = quotas.filter(({ windowSeconds }) => windowSeconds >= COUNTED_WINDOW_SECONDS_MIN);
  const used = await ctx.stores.ingestSettings.countAccepted(
    counted.map(({ id, categories, limit, windowSeconds }) => ({
      quota: { id: String(id), scope, ownerId, categories, limit, windowSeconds, reasonCode: '' },
      fromMs: windowStartMs({ windowSeconds }, now),
    })),
  );
  return quotas.flatMap((quota) => {
    const { categories, limit, windowSeconds } = quota;
    const kind = kindOfCategories(categories);
    if (!kind) return [];
    const position = counted.indexOf(quota);
    return {
      kind,
      limit,
      windowSeconds,
      used: position === -1 ? null : (used[position] ?? 0),
      windowEndsAt: windowStartMs({ windowSeconds }, now) + windowSeconds * 1000,
    };
  });
}
