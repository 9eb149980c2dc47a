import type { Stacktrace } from '#protocol/event.ts';
import type { GroupingConfig } from './grouping-configs.ts';
import type { StackVerdict } from './stack-trace-rules/rule-types.ts';

/** What the strategies know besides the event. */
export type GroupingContext = {
  config: GroupingConfig;
  /** Of the event; a frame may have another. */
  platform: string;
  /** What the rules say of each stack trace of the event. */
  verdicts: ReadonlyMap<Stacktrace, StackVerdict>;
};
