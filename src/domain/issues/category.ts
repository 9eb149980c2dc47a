import type { EventType } from '#protocol/event.ts';
import { isPerformanceIssueType } from '#protocol/performance-issue.ts';

/** Of what makes issues: what was sent as an event, and what was found in transactions. */
export type IssueCategory = 'error' | 'performance';

export const categoryOf = (type: EventType): IssueCategory =>
  isPerformanceIssueType(type) ? 'performance' : 'error';
