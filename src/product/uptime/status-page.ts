import { randomBytes } from 'node:crypto';
import { invalid } from '#lib/errors.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { forgetStatusPages } from './open-status-page.ts';
import type { StatusPage } from './store/status-page-store.ts';

const TITLE_CHARACTERS_MAX = 100;
const SLUG_MIN = 3;
/** Monitors on one page. */
export const STATUS_PAGE_MONITORS_MAX = 50;

/** The settings of the organization's status page; null before somebody set it up. */
export async function getStatusPage(ctx: Context): Promise<StatusPage | null> {
  requireRight(ctx, 'org:read');
  return await ctx.stores.statusPages.find(ctx.organization.id);
}

export type StatusPageInput = Omit<StatusPage, 'organizationId'>;

/**
 * Only owners decide what everybody may see. Throws Invalid, naming the field, and Conflict when another organization has the
 * address.
 */
export async function updateStatusPage(ctx: Context, input: StatusPageInput): Promise<StatusPage> {
  requireRight(ctx, 'org:admin');
  const slug = input.slug.trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/.test(slug)) {
    throw invalid(`Enter an address of at least ${SLUG_MIN} lower-case letters, digits, and hyphens`, 'slug');
  }
  const title = input.title.replace(/\s+/g, ' ').trim();
  if (title === '' || title.length > TITLE_CHARACTERS_MAX || /\p{Cc}/u.test(title)) {
    throw invalid(`Enter a title of at most ${TITLE_CHARACTERS_MAX} characters`, 'title');
  }
  if (input.monitorIds.length > STATUS_PAGE_MONITORS_MAX) {
    throw invalid(`A status page can show at most ${STATUS_PAGE_MONITORS_MAX} monitors`, 'monitors');
  }
  const page = await audited(
    ctx,
    (ctx) =>
      ctx.stores.statusPages.put({ ...input, organizationId: ctx.organization.id, slug, title }, ctx.now()),
    ({ isPublic, showsUrls, monitorIds }) => ({
      action: 'org.status-page.edit',
      target: organizationTarget(ctx),
      data: { slug, isPublic, showsUrls, monitors: monitorIds.length },
    }),
  );
  forgetStatusPages();
  return page;
}

const SUGGESTED_BYTES = 12;

/** An address that nobody guesses. */
export const suggestStatusPageSlug = (): string => `s-${randomBytes(SUGGESTED_BYTES).toString('hex')}`;
