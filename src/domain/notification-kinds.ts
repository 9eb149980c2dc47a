/**
 * What mail there is: of alert rules; for what was assigned to the reader; for comments that name them; for what happens to
 * issues that they follow; of each week.
 */
export const NOTIFICATION_KINDS = ['alerts', 'assigned', 'mentions', 'workflow', 'weekly_report'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
