import { z } from 'zod';
import type { ClientKey } from '#domain/projects.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { audited, keyTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, toPage } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { factsOfKind, KEY_LIMIT_KIND, kindOfCategories } from '#product/quotas/limit-kinds.ts';
import type { StoredQuota } from '#product/quotas/store/stored-quotas.ts';
import type { KeyUse } from '#product/stats/outcome-store.ts';
import { getProject, listVisibleProjects } from '#product/visible-projects.ts';
import { formatDsn } from '#protocol/dsn.ts';

/** At most `count` errors in each window of so many seconds. */
export type KeyRateLimit = { count: number; windowSeconds: number };

/** A client key with the address that SDKs are given. `rateLimit` is null when it has none. */
export type ProjectKey = ClientKey & { dsn: string; rateLimit: KeyRateLimit | null };

/** Oldest first, inactive ones included. */
export async function listProjectKeys(ctx: Context, projectSlug: string): Promise<readonly ProjectKey[]> {
  const project = await getProject(ctx, projectSlug);
  return withLimits(ctx, await ctx.stores.projects.listKeys(ctx.organization.id, project.id));
}

/** The keys with their addresses and limits, in their order. */
export async function withLimits(ctx: Context, keys: readonly ClientKey[]): Promise<readonly ProjectKey[]> {
  const quotas = await ctx.stores.ingestSettings.listQuotas(ctx.organization.id);
  return keys.map((key) => ({
    ...key,
    dsn: formatDsn(ctx.publicUrl, key.publicKey, key.projectId),
    rateLimit: rateLimitOf(key.id, quotas),
  }));
}

function rateLimitOf(keyId: number, quotas: readonly StoredQuota[]): KeyRateLimit | null {
  const found = quotas.find(
    ({ owner, categories }) =>
      owner.scope === 'key' && owner.keyId === keyId && kindOfCategories(categories) === KEY_LIMIT_KIND,
  );
  return found ? { count: found.limit, windowSeconds: found.windowSeconds } : null;
}

const PLACE = z.object({ keyId: z.int().nonnegative() });

/** Client keys of all projects that whoever asks sees, oldest first, inactive ones included. */
export async function listOrganizationKeys(
  ctx: Context,
  input: { cursor: string | null; limit: number },
): Promise<{ keys: readonly ProjectKey[]; nextCursor: string | null }> {
  requireRight(ctx, 'project:read');
  checkLimit(input.limit);
  const after = decodeCursor(input.cursor, PLACE)?.keyId ?? 0;
  const projectIds = (await listVisibleProjects(ctx)).map(({ id }) => id);
  const limit = input.limit + 1;
  const found = await ctx.stores.projects.listKeysOf(ctx.organization.id, projectIds, { after, limit });
  const { page, nextCursor } = toPage(found, input.limit, ({ id: keyId }) => ({ keyId }));
  return { keys: await withLimits(ctx, page), nextCursor };
}

/** How far back the use of keys is looked for. */
export const KEY_USE_DAYS = 30;

/** When each key of the project was used last, by the key's number; keys that nobody used for a month are left out. */
export async function listKeyUse(ctx: Context, projectSlug: string): Promise<ReadonlyMap<number, KeyUse>> {
  const project = await getProject(ctx, projectSlug);
  const sinceMs = ctx.now() - KEY_USE_DAYS * DAY_MS;
  const uses = await ctx.stores.outcomes.listKeyUse(ctx.organization.id, project.id, sinceMs);
  return new Map(uses.map((use) => [use.keyId, use]));
}

const KEYS_PER_PROJECT_MAX = 50;

/** Another address to send to, active at once. Throws Invalid for a label without letters, or when there are 50. */
export async function createProjectKey(
  ctx: Context,
  input: { projectSlug: string; label: string; rateLimit?: KeyRateLimit | null },
): Promise<ProjectKey> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const label = checkKeyLabel(input.label);
  const { rateLimit = null } = input;
  if (rateLimit) checkKeyRateLimit(rateLimit);
  const existing = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  if (existing.length >= KEYS_PER_PROJECT_MAX) {
    throw invalid(`A project can have at most ${KEYS_PER_PROJECT_MAX} keys: use an existing one`, 'label');
  }
  const key = await audited(
    ctx,
    async (ctx) => {
      const created = await ctx.stores.projects.createKey(ctx.organization.id, project.id, label);
      if (rateLimit) await setKeyRateLimit(ctx, created.id, rateLimit);
      return created;
    },
    (created) => ({
      action: 'projectkey.create',
      target: keyTarget(created),
      data: { project: project.slug, label, rateLimit },
    }),
  );
  return { ...key, dsn: formatDsn(ctx.publicUrl, key.publicKey, project.id), rateLimit };
}

/** Changes a key given by id or public key; edges follow within seconds. Throws NotFound, Invalid naming the field. */
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

/** Lets a key in or turns it away. Throws NotFound when the project has no such key. */
export async function setProjectKeyActive(
  ctx: Context,
  input: { projectSlug: string; keyId: number; isActive: boolean },
): Promise<ClientKey> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const keys = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  const before = keys.find((key) => key.id === input.keyId);
  return audited(
    ctx,
    async (ctx) => {
      const changed =
        before && (await ctx.stores.projects.setKeyActive(ctx.organization.id, input.keyId, input.isActive));
      if (!changed)
        throw notFound(`The project ${project.slug} has no client key ${input.keyId}: reload the list`);
      return changed;
    },
    (after) =>
      before?.isActive === after.isActive
        ? null
        : {
            action: after.isActive ? 'projectkey.enable' : 'projectkey.disable',
            target: keyTarget(after),
            data: { project: project.slug, label: after.label },
          },
  );
}

const COUNT_MAX = 1_000_000_000;
const WINDOW_SECONDS_MAX = 86_400;

/** Throws Invalid, naming the field `count` or `window`. */
export function checkKeyRateLimit({ count, windowSeconds }: KeyRateLimit): void {
  if (!(Number.isSafeInteger(count) && count >= 1 && count <= COUNT_MAX)) {
    throw invalid(
      `The number of errors must be a whole number from 1 to ${COUNT_MAX}; to reject all events, disable the key`,
      'count',
    );
  }
  if (!(Number.isSafeInteger(windowSeconds) && windowSeconds >= 1 && windowSeconds <= WINDOW_SECONDS_MAX)) {
    throw invalid(
      `The window must be a whole number of seconds from 1 to ${WINDOW_SECONDS_MAX} (a day)`,
      'window',
    );
  }
}

/** A checked limit, or none, of a key that the caller found. */
export async function setKeyRateLimit(
  ctx: Context,
  keyId: number,
  rateLimit: KeyRateLimit | null,
): Promise<void> {
  const { categories } = factsOfKind(KEY_LIMIT_KIND);
  await ctx.stores.ingestSettings.replaceQuotas(
    ctx.organization.id,
    { scope: 'key', keyId },
    rateLimit ? [{ categories, limit: rateLimit.count, windowSeconds: rateLimit.windowSeconds }] : [],
  );
}

/** Deletes a key and its limit; edges follow within seconds. Its events stay. Throws NotFound. */
export async function deleteProjectKey(
  ctx: Context,
  input: { projectSlug: string; publicKey: string },
): Promise<void> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const keys = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  const key = keys.find(({ publicKey }) => publicKey === input.publicKey);
  const missing = () =>
    notFound(
      `The project ${project.slug} has no client key ${input.publicKey.slice(0, 40)}: reload the list`,
    );
  if (!key) throw missing();
  await audited(
    ctx,
    async (ctx) => {
      if (!(await ctx.stores.projects.deleteKey(ctx.organization.id, key.id))) throw missing();
    },
    () => ({
      action: 'projectkey.remove',
      target: keyTarget(key),
      data: { project: project.slug, label: key.label },
    }),
  );
}

const LABEL_CHARACTERS_MAX = 64;

/** The label without blanks around it. Throws Invalid. */
export function checkKeyLabel(text: string): string {
  const label = text.trim();
  if (label === '' || label.length > LABEL_CHARACTERS_MAX) {
    throw invalid(
      `Enter a key label of 1 to ${LABEL_CHARACTERS_MAX} characters, for example the app that uses it`,
      'label',
    );
  }
  return label;
}
