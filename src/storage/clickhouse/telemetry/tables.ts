import type { TelemetryKind, TelemetryRows } from '#protocol/telemetry.ts';
import { attachments } from './attachments.ts';
import { checkIns } from './check-ins.ts';
import { feedback } from './feedback.ts';
import { logs } from './logs.ts';
import { metrics } from './metrics.ts';
import { profiles } from './profiles.ts';
import { replaySegments } from './replay-segments.ts';
import { replays } from './replays.ts';
import { sessions } from './sessions.ts';
import { spans } from './spans.ts';
import type { TelemetryTable } from './telemetry-table.ts';
import { transactions } from './transactions.ts';

/** The table of every kind. */
export const TABLES: { readonly [Kind in TelemetryKind]: TelemetryTable<TelemetryRows[Kind][number]> } = {
  transactions,
  spans,
  logs,
  metrics,
  sessions,
  checkIns,
  feedback,
  attachments,
  replays,
  replaySegments,
  profiles,
};
