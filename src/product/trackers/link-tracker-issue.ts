import type { OpenTracker, TrackerIssue } from '#delivery/ports/tracker-client.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { LINKS_PER_ISSUE_MAX } from '#product/issue-links/add-link.ts';
import { checkLink } from '#product/issue-links/check-link.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueLink } from '#storage/ports/issue-links.ts';
import { keyOf } from './issue-address.ts';
import { answeredValue, reachTracker } from './reach-tracker.ts';

const TITLE_CHARACTERS_MAX = 255;
const BODY_CHARACTERS_MAX = 30_000;
const LINK_TITLE_CHARACTERS_MAX = 200;

/** Makes an issue in a tracker, and links the two. Throws Invalid, NotFound. */
export async function createTrackerIssue(
  ctx: Context,
  openTracker: OpenTracker,
  issue: Issue,
  input: { trackerId: number; projectId: string; title: string; body: string },
): Promise<IssueLink> {
  requireRight(ctx, 'event:write');
  const title = input.title.replace(/\s+/g, ' ').trim();
  if (title === '' || title.length > TITLE_CHARACTERS_MAX) {
    throw invalid(`Give a title of at most ${TITLE_CHARACTERS_MAX} characters`, 'title');
  }
  if (input.body.length > BODY_CHARACTERS_MAX) {
    throw invalid(`The text has more than ${BODY_CHARACTERS_MAX} characters: shorten it`, 'body');
  }
  if (input.projectId === '') throw invalid('Choose where the issue is made', 'projectId');
  await requireRoom(ctx, issue);
  const { client } = await reachTracker(ctx, openTracker, input.trackerId);
  const { projectId, body } = input;
  return link(
    ctx,
    issue,
    input.trackerId,
    answeredValue(await client.createIssue({ projectId, title, body })),
  );
}

/** Links an issue of a tracker by its address or its key. Throws Invalid, NotFound, and Conflict for a known one. */
export async function linkTrackerIssue(
  ctx: Context,
  openTracker: OpenTracker,
  issue: Issue,
  { trackerId, reference }: { trackerId: number; reference: string },
): Promise<IssueLink> {
  requireRight(ctx, 'event:write');
  const { tracker, client } = await reachTracker(ctx, openTracker, trackerId);
  const key = keyOf(tracker, reference);
  if (key === null) {
    throw invalid(
      `Give the address of an issue of ${tracker.name} (${tracker.url}), or its key`,
      'reference',
    );
  }
  await requireRoom(ctx, issue);
  const found = answeredValue(await client.getIssue(key));
  if (!found) throw invalid(`${tracker.name} has no issue ${key}, or its token may not see it`, 'reference');
  return link(ctx, issue, trackerId, found);
}

/** Before anything is made elsewhere that could not be linked. */
async function requireRoom(ctx: Context, issue: Issue): Promise<void> {
  const links = await ctx.stores.issueLinks.list(ctx.organization.id, issue.id);
  if (links.length >= LINKS_PER_ISSUE_MAX) throw full();
}

async function link(
  ctx: Context,
  issue: Issue,
  trackerId: number,
  { key, url, title, state, stateName }: TrackerIssue,
): Promise<IssueLink> {
  const added = await ctx.stores.issueLinks.add(
    ctx.organization.id,
    issue.id,
    // What the tracker says is its address is as little to be trusted as what people type.
    {
      url: checkLink({ url }).url,
      title: linkTitle({ key, title }),
      tracked: { trackerId, key, state, stateName },
    },
    userIdOf(ctx),
    ctx.now(),
    LINKS_PER_ISSUE_MAX,
  );
  if (!added) throw full();
  return added;
}

/** `acme/web#12 Cart is empty` */
export const linkTitle = ({ key, title }: Pick<TrackerIssue, 'key' | 'title'>): string =>
  `${key} ${title}`.replace(/\s+/g, ' ').trim().slice(0, LINK_TITLE_CHARACTERS_MAX);

const full = () => invalid(`An issue has at most ${LINKS_PER_ISSUE_MAX} links: remove one first`);
