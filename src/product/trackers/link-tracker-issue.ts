import type { OpenTracker, TrackerIssue, TrackerProject } from '#delivery/ports/tracker-client.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { findCrashFrame, functionOf, positionOf } from '#product/events/frame-names.ts';
import type { IssueLink } from '#product/issue-links/issue-link-store.ts';
import { checkLink, LINKS_PER_ISSUE_MAX } from '#product/issue-links/issue-links.ts';
import { findIssueEvent } from '#product/issues/issue-events.ts';
import { plainLine, utcMinute } from '#product/messages/escape.ts';
import { requireRight } from '#product/permissions.ts';
import { keyOf } from './issue-address.ts';
import { answeredValue, reachTracker } from './reach-tracker.ts';
import type { TrackerKind } from './tracker-kinds.ts';

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
    throw invalid(`Enter a title of at most ${TITLE_CHARACTERS_MAX} characters`, 'title');
  }
  if (input.body.length > BODY_CHARACTERS_MAX) {
    throw invalid(`The text is longer than ${BODY_CHARACTERS_MAX} characters: shorten it`, 'body');
  }
  if (input.projectId === '') throw invalid('Choose where to create the issue', 'projectId');
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
    throw invalid(`Enter the URL or key of an issue in ${tracker.name} (${tracker.url})`, 'reference');
  }
  await requireRoom(ctx, issue);
  const found = answeredValue(await client.getIssue(key));
  if (!found)
    throw invalid(
      `${tracker.name} has no issue ${key}, or its token does not have access to it`,
      'reference',
    );
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

const full = () => invalid(`An issue can have at most ${LINKS_PER_ISSUE_MAX} links: remove one first`);

const PROJECTS_MAX = 50;
const ISSUES_MAX = 20;
const TEXT_CHARACTERS_MAX = 200;

/** Where issues can be made, by a part of the name. Throws NotFound, and Invalid with what the tracker said. */
export async function listTrackerProjects(
  ctx: Context,
  openTracker: OpenTracker,
  { trackerId, text }: { trackerId: number; text: string },
): Promise<readonly TrackerProject[]> {
  requireRight(ctx, 'event:write');
  const { client } = await reachTracker(ctx, openTracker, trackerId);
  return answeredValue(await client.listProjects(text.trim().slice(0, TEXT_CHARACTERS_MAX), PROJECTS_MAX));
}

/** Issues of one of its projects, by a part of the title, the newest first. Throws as above. */
export async function findTrackerIssues(
  ctx: Context,
  openTracker: OpenTracker,
  { trackerId, projectId, text }: { trackerId: number; projectId: string; text: string },
): Promise<readonly TrackerIssue[]> {
  requireRight(ctx, 'event:write');
  const { client } = await reachTracker(ctx, openTracker, trackerId);
  return answeredValue(
    await client.findIssues(projectId, text.trim().slice(0, TEXT_CHARACTERS_MAX), ISSUES_MAX),
  );
}

const DRAFT_TITLE_CHARACTERS_MAX = 200;

const LINE_CHARACTERS_MAX = 300;

/** What an issue of a tracker begins with: title, facts and the way back; people change it as they like. */
export async function draftTrackerIssue(
  ctx: Context,
  issue: Issue,
  kind: TrackerKind,
): Promise<{ title: string; body: string }> {
  requireRight(ctx, 'event:read');
  const found = await orUnavailable(findIssueEvent(ctx, issue, 'recommended'));
  const event = found.ok ? found.value : null;
  const frame = event && findCrashFrame(event.payload);
  const facts: readonly (readonly [string, string | null])[] = [
    ['Where', frame ? `${functionOf(frame)} in ${positionOf(frame) || issue.culprit}` : issue.culprit],
    [
      'Events',
      `${issue.timesSeen.toLocaleString('en-US')}, the first ${utcMinute(issue.firstSeen)}, the last ${utcMinute(issue.lastSeen)}`,
    ],
    ['Release', issue.lastRelease],
    ['Environment', event?.environment ?? null],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value ? [`${name}: ${plainLine(value, LINE_CHARACTERS_MAX)}`] : [],
  );
  const address = `${ctx.publicUrl}/${ctx.organization.slug}/issues/${issue.shortId}`;
  return {
    title: plainLine(issue.title, DRAFT_TITLE_CHARACTERS_MAX),
    body: `${asItIs(kind, [`Error: ${plainLine(issue.title, LINE_CHARACTERS_MAX)}`, ...lines])}\n\n${issue.shortId}: ${address}\n`,
  };
}

/** Programs sent these lines: nothing in them is markup, and nobody is called by their name. */
export function asItIs(kind: TrackerKind, lines: readonly string[]): string {
  // A fence ends only where a line begins with one, and each of these begins with its name.
  if (kind !== 'jira') return ['```text', ...lines, '```'].join('\n');
  return [
    '{noformat}',
    ...lines.map((line) => line.replaceAll(/\{\s*noformat/gi, '(noformat')),
    '{noformat}',
  ].join('\n');
}
