import type { Context } from '#product/context.ts';
import { draftMail, type MailDraft, type MailSection } from '#product/mail/compose-mail.ts';
import { KIND_OF_REASON } from '#product/notifications/notification-kinds.ts';
import { isOnIn } from '#product/notifications/settled.ts';
import type { UnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { NotificationKind, NotifiedActivity } from '#storage/ports/notifications.ts';
import { describeActivity } from './describe-activity.ts';
import { counted, plainLine } from './plain-text.ts';

/** Activities that one mail tells; the others are counted. */
const ACTIVITIES_MAX = 50;
const TITLE_CHARACTERS_MAX = 200;
const IDS_IN_SUBJECT_MAX = 3;

const WHY: Readonly<Partial<Record<NotificationKind, string>>> = {
  assigned: 'You get this because an issue was assigned to you or to a team of yours.',
  mentions: 'You get this because a comment names you or a team of yours.',
  workflow: 'You get this because you follow the issue.',
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
  const [told, projects, settings] = await Promise.all([
    ctx.stores.activityOutbox.listNotified(deliveryId, ACTIVITIES_MAX),
    listVisibleProjects(ctx),
    ctx.stores.notifications.list(userId),
  ]);
  const activities = told.activities.filter(
    ({ issue, reason }) =>
      projects.some(({ id }) => id === issue.projectId) &&
      isOnIn(settings, KIND_OF_REASON[reason], organizationId),
  );
  const [first] = activities;
  if (!first) return null;
  const byIssue = [...Map.groupBy(activities, ({ issue }) => issue.id).values()];
  const left = activities.length === told.activities.length ? told.total - activities.length : 0;
  const kind = KIND_OF_REASON[first.reason];
  const only = byIssue.length === 1;
  return draftMail({
    subject: subjectOf(byIssue, activities, userId),
    heading: only ? issueTitle(first) : `${counted(byIssue.length, 'issue')} of ${ctx.organization.name}`,
    paragraphs:
      left > 0 ? [`${counted(left, 'thing')} more happened: the pages of the issues tell them.`] : [],
    sections: byIssue.map((own) => sectionOf(ctx, own, userId)),
    button: only
      ? { label: 'Look at the issue', url: issueUrl(ctx, first) }
      : { label: 'Look at your issues', url: `${ctx.publicUrl}/${ctx.organization.slug}/issues` },
    footnote: `${WHY[kind] ?? ''} What mail comes is chosen at ${ctx.publicUrl}/account/notifications.`,
    unsubscribeUrl: links.urlFor({ userId, organizationId, kind }),
  });
}

type OfIssue = readonly NotifiedActivity[];

function subjectOf(byIssue: readonly OfIssue[], activities: OfIssue, readerId: string): string {
  const [first] = activities;
  if (!first) return '';
  if (activities.length === 1) {
    return plainLine(`${first.issue.shortId}: ${describeActivity(first, readerId)}`, TITLE_CHARACTERS_MAX);
  }
  if (byIssue.length === 1) return `${first.issue.shortId}: ${counted(activities.length, 'thing')} happened`;
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
