import type { Activity } from '#domain/issues/issue.ts';
import type { NotificationKind } from '#domain/notification-kinds.ts';
import type { Context } from '#product/context.ts';
import type { NotifiedActivity } from '#product/notifications/activity-outbox-store.ts';
import { isOnIn, KIND_OF_REASON } from '#product/notifications/notification-settings.ts';
import type { UnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { isMonitorIssueType } from '#protocol/monitor-issue.ts';
import { draftMail, type MailDraft, type MailSection } from './compose-mail.ts';
import { counted, plainLine } from './escape.ts';

/** Activities that one mail lists; the others are counted. */
const ACTIVITIES_MAX = 50;
const TITLE_CHARACTERS_MAX = 200;
const IDS_IN_SUBJECT_MAX = 3;

const WHY: Readonly<Partial<Record<NotificationKind, string>>> = {
  assigned: 'You are receiving this email because an issue was assigned to you or to one of your teams.',
  mentions: 'You are receiving this email because a comment mentions you or one of your teams.',
  workflow: 'You are receiving this email because you are subscribed to the issue.',
};

/**
 * What happened to issues, for one reader, whose context it is. null when nothing is left to say: it was deleted, or the
 * reader may not see it or does not want to hear of it any more.
 */
export async function composeActivity(
  ctx: Context,
  { deliveryId, userId }: { deliveryId: string; userId: string },
  links: UnsubscribeLinks,
): Promise<MailDraft | null> {
  const organizationId = ctx.organization.id;
  const [notified, projects, settings] = await Promise.all([
    ctx.stores.activityOutbox.listNotified(deliveryId, ACTIVITIES_MAX),
    listVisibleProjects(ctx),
    ctx.stores.notifications.list(userId),
  ]);
  const activities = notified.activities.filter(
    ({ issue, reason }) =>
      projects.some(({ id }) => id === issue.projectId) &&
      isOnIn(settings, KIND_OF_REASON[reason], organizationId),
  );
  const [first] = activities;
  if (!first) return null;
  const byIssue = [...Map.groupBy(activities, ({ issue }) => issue.id).values()];
  const left = activities.length === notified.activities.length ? notified.total - activities.length : 0;
  const kind = KIND_OF_REASON[first.reason];
  const only = byIssue.length === 1;
  return draftMail({
    subject: subjectOf(byIssue, activities, userId),
    heading: only ? issueTitle(first) : `${counted(byIssue.length, 'issue')} in ${ctx.organization.name}`,
    paragraphs: left > 0 ? [`${counted(left, 'more update')} on the issue pages.`] : [],
    sections: byIssue.map((own) => sectionOf(ctx, own, userId)),
    button: only
      ? { label: 'View issue', url: issueUrl(ctx, first) }
      : { label: 'View issues', url: `${ctx.publicUrl}/${ctx.organization.slug}/issues` },
    footnote: `${WHY[kind] ?? ''} Manage your notifications at ${ctx.publicUrl}/account/notifications.`,
    unsubscribeUrl: links.urlFor({ userId, organizationId, kind }),
  });
}

type OfIssue = readonly NotifiedActivity[];

function subjectOf(byIssue: readonly OfIssue[], activities: OfIssue, readerId: string): string {
  const [first] = activities;
  if (!first) return '';
  if (activities.length === 1) {
    const what = `${first.issue.shortId}: ${describeActivity(first, readerId)}`;
    // What nobody did says too little without what it is about.
    return plainLine(first.user === null ? `${what} (${first.issue.title})` : what, TITLE_CHARACTERS_MAX);
  }
  if (byIssue.length === 1) return `${first.issue.shortId}: ${counted(activities.length, 'update')}`;
  const ids = byIssue.map(([one]) => one?.issue.shortId ?? '');
  const named = ids.slice(0, IDS_IN_SUBJECT_MAX).join(', ');
  return `${counted(byIssue.length, 'issue')}: ${named}${ids.length > IDS_IN_SUBJECT_MAX ? ' …' : ''}`;
}

function sectionOf(ctx: Context, own: OfIssue, readerId: string): MailSection {
  const [first] = own;
  return {
    title: first ? issueTitle(first) : '',
    url: first ? issueUrl(ctx, first) : null,
    lines: own.map((activity) => ({ label: null, text: describeActivity(activity, readerId) })),
  };
}

const issueTitle = ({ issue }: NotifiedActivity): string =>
  `${issue.shortId} ${plainLine(issue.title, TITLE_CHARACTERS_MAX)}`;

const issueUrl = ({ publicUrl, organization }: Context, { issue }: NotifiedActivity): string =>
  `${publicUrl}/${organization.slug}/issues/${issue.shortId}`;

const TEXT_CHARACTERS_MAX = 500;
const NAME_CHARACTERS_MAX = 100;
const COMMIT_CHARACTERS = 12;

type DescribedActivity = Pick<NotifiedActivity, 'type' | 'user' | 'data' | 'reason'> & {
  /** Issues of monitors end and come back by themselves, and are called so. */
  issue?: Pick<NotifiedActivity['issue'], 'type'>;
};

/** What happened, as a sentence about the issue for the reader; all of it on one line. */
export function describeActivity(
  { type, user, data, reason, issue }: DescribedActivity,
  readerId: string,
): string {
  const who = user === null ? null : plainLine(user.name, NAME_CHARACTERS_MAX);
  const said = (did: string, alone: string): string => (who === null ? alone : `${who} ${did}`);
  const isOfMonitor = issue !== undefined && isMonitorIssueType(issue.type);
  switch (type) {
    case 'note':
      return `${who ?? 'Someone'}${reason === 'mentioned' ? ' mentioned you' : ' wrote'}: ${plainLine(String(data.text ?? ''), TEXT_CHARACTERS_MAX)}`;
    case 'assigned': {
      const toWhom = assigneeOf(data, readerId, reason);
      return said(`assigned it${toWhom}`, `Assigned${toWhom} by the ownership rules`);
    }
    case 'set_resolved':
    case 'set_resolved_in_release':
    case 'set_resolved_in_commit': {
      if (isOfMonitor && who === null) return 'Recovered';
      const how = resolutionOf(data);
      return said(`resolved it${how}`, `Resolved${how}`);
    }
    case 'set_unresolved':
      return said('reopened it', 'Open again');
    case 'set_archived':
      return said('archived it', 'Archived');
    case 'set_regression':
      if (isOfMonitor) return 'Failing again';
      return `Regressed${typeof data.release === 'string' ? ` in ${plainLine(data.release, NAME_CHARACTERS_MAX)}` : ''} after it was resolved`;
    case 'set_escalating':
      return 'It happens more often than expected';
    default:
      return said('changed it', 'Changed');
  }
}

function assigneeOf(
  { assigneeUserId, assigneeTeamId }: Activity['data'],
  readerId: string,
  reason: string,
): string {
  if (assigneeUserId === readerId) return ' to you';
  if (typeof assigneeTeamId === 'number')
    return reason === 'assigned' ? ' to one of your teams' : ' to a team';
  return ' to someone else';
}

function resolutionOf({ version, commit, repository }: Activity['data']): string {
  const parts: string[] = [];
  if (typeof version === 'string') parts.push(` in ${plainLine(version, NAME_CHARACTERS_MAX)}`);
  if (typeof commit === 'string') {
    parts.push(
      ` with commit ${plainLine(commit, COMMIT_CHARACTERS)} of ${plainLine(String(repository), NAME_CHARACTERS_MAX)}`,
    );
  }
  return parts.join('');
}
