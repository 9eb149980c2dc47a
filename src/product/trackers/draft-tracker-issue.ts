import type { Issue } from '#domain/issues/issue.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { functionOf, positionOf } from '#product/events/frame-names.ts';
import { findGuiltyFrame } from '#product/events/guilty-frame.ts';
import { findIssueEvent } from '#product/issues/get-issue-event.ts';
import { plainLine, utcMinute } from '#product/messages/plain-text.ts';
import { requireRight } from '#product/permissions.ts';
import type { TrackerKind } from '#storage/ports/trackers.ts';

const TITLE_CHARACTERS_MAX = 200;
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
  const frame = event && findGuiltyFrame(event.payload);
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
    title: plainLine(issue.title, TITLE_CHARACTERS_MAX),
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
