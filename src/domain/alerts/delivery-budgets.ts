import { MINUTE_MS } from '#lib/time.ts';

/** The same receiver is notified of the same issue once in this time; what fires meanwhile is only noted. */
export const ISSUE_QUIET_MS = 30 * MINUTE_MS;

/** What decides when the next message to a receiver may go: its messages within this time. */
export const BUDGET_WINDOW_MS = 60 * MINUTE_MS;
/** So many messages of a window go at once. */
export const AT_ONCE_MAX = 3;
/** Between those after them, the last one for all that follow; what fires meanwhile joins the message that waits. */
export const GAPS_MS = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE_MS);

/** Issues that one message names; a message of more is of a storm, and counts the others. */
export const ISSUES_NAMED_MAX = 20;
/** Metrics that one message names. */
export const METRICS_NAMED_MAX = 20;

/** Mails of alerts, activities and reports of one organization; when they are used up, mails wait and go on collecting. */
export const MAILS_PER_HOUR_MAX = 200;
/** The part of them that reports may use: they come all at once, and what breaks meanwhile must be sent. */
export const REPORTS_SHARE = 0.5;
/** How long mails wait before somebody looks again whether there is room. */
export const MAIL_ROOM_LOOK_MS = MINUTE_MS;

/** Answers to feedback that one organization emails in an hour: nobody's mailbox is to be filled over us. */
export const FEEDBACK_REPLIES_PER_HOUR_MAX = 60;
