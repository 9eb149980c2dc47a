import type { Issue } from '#domain/issues/issue.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueLink } from './issue-link-store.ts';

/** Issues of other systems that an issue is linked to, oldest first. */
export async function listLinks(ctx: Context, issue: Issue): Promise<readonly IssueLink[]> {
  requireRight(ctx, 'event:read');
  return ctx.stores.issueLinks.list(ctx.organization.id, issue.id);
}

export const LINKS_PER_ISSUE_MAX = 50;

/** Links an issue to one of another system; nothing is fetched from there. Throws Invalid, and Conflict for a known one. */
export async function addLink(
  ctx: Context,
  issue: Issue,
  input: { url: string; title?: string },
): Promise<IssueLink> {
  requireRight(ctx, 'event:write');
  const link = await ctx.stores.issueLinks.add(
    ctx.organization.id,
    issue.id,
    checkLink(input),
    userIdOf(ctx),
    ctx.now(),
    LINKS_PER_ISSUE_MAX,
  );
  if (link) return link;
  throw invalid(`An issue can have at most ${LINKS_PER_ISSUE_MAX} links: remove one first`, 'url');
}

/** Throws NotFound. */
export async function removeLink(ctx: Context, issue: Issue, linkId: number): Promise<void> {
  requireRight(ctx, 'event:write');
  const isRemoved = await ctx.stores.issueLinks.remove(
    ctx.organization.id,
    issue.id,
    linkId,
    userIdOf(ctx),
    ctx.now(),
  );
  if (!isRemoved) throw notFound(`Issue ${issue.shortId} has no link ${linkId}`);
}

const URL_CHARACTERS_MAX = 2_000;
const TITLE_CHARACTERS_MAX = 200;

/**
 * An address of the web, made whole, and its title: what was typed, else the last part of the path with the host.
 * Throws Invalid for anything but http and https, and for an address with a password in it.
 */
export function checkLink(input: { url: string; title?: string }): { url: string; title: string } {
  const url = parseUrl(input.url.trim());
  const title = (input.title ?? '').replace(/\s+/g, ' ').trim();
  if (title.length > TITLE_CHARACTERS_MAX) {
    throw invalid(`The title is longer than ${TITLE_CHARACTERS_MAX} characters: shorten it`, 'title');
  }
  return { url: url.href, title: title || titleOf(url) };
}

function parseUrl(text: string): URL {
  if (text.length > URL_CHARACTERS_MAX) {
    throw invalid(`The URL is longer than ${URL_CHARACTERS_MAX} characters`, 'url');
  }
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid('Enter the full URL, starting with https://', 'url');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      'The URL contains a password that everyone with access to the issue could see: remove it',
      'url',
    );
  }
  return url;
}

/** `https://github.com/acme/web/issues/12` is `12 · github.com`. */
function titleOf(url: URL): string {
  const last = url.pathname.split('/').filter(Boolean).at(-1);
  return last ? `${decode(last)} · ${url.host}`.slice(0, TITLE_CHARACTERS_MAX) : url.host;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
