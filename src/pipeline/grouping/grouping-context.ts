import type { Stacktrace } from '#protocol/event.ts';
import type { GroupingConfigId } from './grouping-types.ts';
import type { StackVerdict } from './stack-trace-rules/rule-types.ts';

/** What the strategies know besides the event. */
export type GroupingContext = {
  config: GroupingConfig;
  /** Of the event; a frame may have another. */
  platform: string;
  /** What the rules say of each stack trace of the event. */
  verdicts: ReadonlyMap<Stacktrace, StackVerdict>;
};

/** What may differ between two versions of the algorithm. Hashes depend on all of it, so a version never changes. */
export type GroupingConfig = {
  id: GroupingConfigId;
  /** The parts of an exception in the order in which they are hashed. */
  exceptionOrder: readonly ('type' | 'value' | 'ns_error' | 'stacktrace')[];
  /** Platforms whose SDKs send source lines good enough to group by. */
  contextLinePlatforms: ReadonlySet<string>;
};

const CONFIGS: Readonly<Record<GroupingConfigId, GroupingConfig>> = {
  'newstyle:2026-01-20': {
    id: 'newstyle:2026-01-20',
    exceptionOrder: ['type', 'value', 'ns_error', 'stacktrace'],
    contextLinePlatforms: new Set(['javascript', 'node', 'python', 'php', 'ruby']),
  },
};

/** The version that new projects get. */
export const LATEST_GROUPING_CONFIG: GroupingConfigId = 'newstyle:2026-01-20';

export const groupingConfig = (id: GroupingConfigId): GroupingConfig => CONFIGS[id];
