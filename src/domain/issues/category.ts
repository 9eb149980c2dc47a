import { type EventType, FEEDBACK_TYPE } from '#protocol/event.ts';
import { isPerformanceIssueType } from '#protocol/performance-issue.ts';

/** Of what makes issues: what was sent as an event, what was found in transactions, and what people wrote. */
export const ISSUE_CATEGORIES = ['error', 'performance', 'feedback'] as const;
export type IssueCategory = (typeof ISSUE_CATEGORIES)[number];

export function categoryOf(type: EventType): IssueCategory {
  if (type === FEEDBACK_TYPE) return 'feedback';
  return isPerformanceIssueType(type) ? 'performance' : 'error';
}
