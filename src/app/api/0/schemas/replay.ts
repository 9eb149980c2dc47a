import { z } from 'zod';

export const REPLAY = z
  .object({
    id: z.string(),
    project_id: z.string(),
    replay_type: z.string(),
    started_at: z.string(),
    finished_at: z.string(),
    duration: z.number(),
    count_segments: z.number(),
    count_urls: z.number(),
    count_errors: z.number(),
    urls: z.array(z.string()),
    error_ids: z.array(z.string()),
    trace_ids: z.array(z.string()),
    releases: z.array(z.string()),
    environment: z.string().nullable(),
    platform: z.string(),
    user: z.object({ id: z.string().nullable() }),
    is_archived: z.boolean(),
  })
  .meta({ id: 'Replay' });
