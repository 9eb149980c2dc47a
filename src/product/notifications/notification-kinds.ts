import type { ActivityReason, NotificationKind } from '#storage/ports/notifications.ts';

/** As pages and mails call them. */
export const NOTIFICATION_WORDS: Readonly<Record<NotificationKind, { name: string; about: string }>> = {
  alerts: { name: 'Alerts', about: 'Alert rules that tell you, or a team of yours.' },
  assigned: { name: 'Assigned to me', about: 'An issue was assigned to you or to a team of yours.' },
  mentions: { name: 'Mentions', about: 'A comment names you or a team of yours.' },
  workflow: {
    name: 'Issues that I follow',
    about: 'Comments, and when an issue that you follow is resolved, archived, reopened, or comes back.',
  },
  weekly_report: { name: 'Weekly report', about: 'On Mondays, what the week before brought.' },
};

/** Which setting decides whether somebody is told for that reason. */
export const KIND_OF_REASON: Readonly<Record<ActivityReason, NotificationKind>> = {
  assigned: 'assigned',
  mentioned: 'mentions',
  subscribed: 'workflow',
};
