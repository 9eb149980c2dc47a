import type { Level } from '#protocol/event.ts';
import type { IssuePriority, IssueSubstatus } from './issue.ts';

/** What an issue's priority is while nobody chose one: by its level, and one step higher while it escalates. */
export function automaticPriority(level: Level, substatus: IssueSubstatus | null): IssuePriority {
  const priority = PRIORITY[level];
  return substatus === 'escalating' ? RAISED[priority] : priority;
}

const PRIORITY: Readonly<Record<Level, IssuePriority>> = {
  fatal: 'high',
  error: 'high',
  warning: 'medium',
  info: 'low',
  debug: 'low',
};

const RAISED: Readonly<Record<IssuePriority, IssuePriority>> = {
  high: 'high',
  medium: 'high',
  low: 'medium',
};
