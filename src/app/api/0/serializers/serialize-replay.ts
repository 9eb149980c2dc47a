import type { ReplaySummary } from '#storage/ports/telemetry.ts';
import { isoOfMs } from './serialize-moment.ts';

/** Source of the fields: https://docs.sentry.io/api/replays/list-an-organizations-replays/ */
export const serializeReplay = (replay: ReplaySummary) => ({
  id: replay.replayId,
  project_id: String(replay.projectId),
  replay_type: replay.replayType,
  started_at: isoOfMs(replay.startedAt),
  finished_at: isoOfMs(replay.finishedAt),
  duration: Math.max(0, Math.round((replay.finishedAt - replay.startedAt) / 1_000)),
  count_segments: replay.segments,
  count_urls: replay.urls.length,
  count_errors: replay.errorIds.length,
  urls: replay.urls,
  error_ids: replay.errorIds,
  trace_ids: replay.traceIds,
  releases: replay.releases,
  environment: replay.environment,
  platform: replay.platform,
  user: { id: replay.userId },
  is_archived: false,
});
