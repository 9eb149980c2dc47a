import { DAY_MS, WEEK_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { isOnIn } from '#product/notifications/notification-settings.ts';
import type { UnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import {
  getWeekOverview,
  type OverviewIssue,
  type OverviewList,
  type WeekOverview,
} from '#product/overview/get-week-overview.ts';
import { getWeekWatch } from '#product/overview/get-week-watch.ts';
import { draftMail, type MailDraft, type MailSection } from './compose-mail.ts';
import { counted, plainLine } from './escape.ts';
import { hasNews, watchSections } from './watch-sections.ts';

const TITLE_CHARACTERS_MAX = 120;

/**
 * A week of an organization for one member, whose context it is; null when there is nothing to report about the projects that
 * they see, or they want no report any more.
 */
export async function composeReport(
  ctx: Context,
  { userId, weekStart }: { userId: string; weekStart: number },
  links: UnsubscribeLinks,
): Promise<MailDraft | null> {
  const { organization, publicUrl, stores } = ctx;
  const settings = await stores.notifications.list(userId);
  if (!isOnIn(settings, 'weekly_report', organization.id)) return null;
  const endsAtMs = weekStart + WEEK_MS;
  const [week, watch] = await Promise.all([
    getWeekOverview(ctx, { endsAtMs }),
    getWeekWatch(ctx, { endsAtMs }),
  ]);
  const { created, regressed, fixed, events } = week;
  const total = events.total + created.total + regressed.total + fixed.total;
  if (total === 0 && !hasNews(watch)) return null;
  return draftMail({
    subject: `${organization.name}: ${counted(events.total, 'error')}, ${counted(created.total, 'new issue')}`,
    heading: `${organization.name}, ${dayOf(weekStart)} to ${dayOf(weekStart + WEEK_MS - DAY_MS)}`,
    paragraphs: [introOf(week)],
    sections: [
      ...listSection(ctx, 'New', created),
      ...listSection(ctx, 'Regressed', regressed),
      ...frequentSection(ctx, week),
      ...listSection(ctx, 'Fixed', fixed),
      ...watchSections(ctx, watch),
      ...noisySections(week),
    ],
    button: {
      label: 'View weekly summary',
      url: `${publicUrl}/${organization.slug}/overview?week=${isoDay(weekStart)}`,
    },
    footnote: `You are receiving this email as a member of ${organization.name}. Manage your notifications at ${publicUrl}/account/notifications.`,
    unsubscribeUrl: links.urlFor({ userId, organizationId: organization.id, kind: 'weekly_report' }),
  });
}

function introOf({ events, created, regressed, fixed }: WeekOverview): string {
  const change = events.before === 0 ? '' : `, ${counted(events.before, 'error')} the week before`;
  return `${counted(events.total, 'error')}${change}. ${counted(created.total, 'new issue')}, ${regressed.total.toLocaleString('en-US')} regressed, ${fixed.total.toLocaleString('en-US')} fixed.`;
}

const listSection = (ctx: Context, title: string, { total, issues }: OverviewList): readonly MailSection[] =>
  total === 0
    ? []
    : [
        {
          title: `${title}: ${counted(total, 'issue')}`,
          url: null,
          lines: [...issues.map((issue) => issueLine(ctx, issue)), ...moreLine(total - issues.length)],
        },
      ];

const frequentSection = (ctx: Context, { frequent }: WeekOverview): readonly MailSection[] =>
  frequent === null || frequent.length === 0
    ? []
    : [{ title: 'Most frequent', url: null, lines: frequent.map((issue) => issueLine(ctx, issue)) }];

function noisySections({ noisiest: { projects, rules } }: WeekOverview): readonly MailSection[] {
  const lines = [
    ...projects.map(({ name, events, before }) => ({
      label: plainLine(name, TITLE_CHARACTERS_MAX),
      text: `${counted(events, 'error')}, ${before === 0 ? 'none' : before.toLocaleString('en-US')} the week before`,
    })),
    ...rules.map(({ name, firings, projectSlug }) => ({
      label: `Alert "${plainLine(name, TITLE_CHARACTERS_MAX)}" in ${projectSlug}`,
      text: `triggered ${counted(firings, 'time')}`,
    })),
  ];
  return lines.length === 0 ? [] : [{ title: 'Noisiest', url: null, lines }];
}

function issueLine(
  { publicUrl, organization }: Context,
  { shortId, title, week }: OverviewIssue,
): MailSection['lines'][number] {
  const counts = week ? ` (${counted(week.events, 'event')}, ${counted(week.users, 'user')})` : '';
  const url = `${publicUrl}/${organization.slug}/issues/${shortId}`;
  return { label: shortId, text: `${plainLine(title, TITLE_CHARACTERS_MAX)}${counts}`, url };
}

const moreLine = (more: number): MailSection['lines'] =>
  more > 0 ? [{ label: null, text: `and ${more.toLocaleString('en-US')} more` }] : [];

/** `2026-11-16` */
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `16 November` */
const dayOf = (ms: number): string =>
  new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
