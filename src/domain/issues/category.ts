import { type EventType, FEEDBACK_TYPE } from '#protocol/event.ts';
import { isPerformanceIssueType } from '#protocol/performance-issue.ts';

/** What makes issues: sent events, what was found in transactions, what people wrote, and monitors that fail. */
export const ISSUE_CATEGORIES = ['error', 'performance', 'feedback', 'cron', 'uptime'] as const;
export type IssueCategory = (typeof ISSUE_CATEGORIES)[number];

export function categoryOf(type: EventType): IssueCategory {
  if (type === FEEDBACK_TYPE) return 'feedback';
  if (type === 'monitor_check_in_failure') return 'cron';
  if (type === 'uptime_domain_failure') return 'uptime';
  return isPerformanceIssueType(type) ? 'performance' : 'error';
}
