import { z } from 'zod';

export const DSN = z
  .object({
    public: z.string(),
    secret: z.string(),
    csp: z.string(),
    security: z.string(),
    minidump: z.string(),
    nel: z.string(),
    unreal: z.string(),
    crons: z.string(),
    integration: z.string(),
    otlp_traces: z.string(),
    otlp_logs: z.string(),
    /** Empty, as the next one: there is none. */
    cdn: z.string(),
    playstation: z.string(),
  })
  .meta({ id: 'Dsn' });

export const KEY = z
  .object({
    id: z.string(),
    name: z.string(),
    label: z.string(),
    public: z.string(),
    secret: z.null(),
    projectId: z.number(),
    isActive: z.boolean(),
    rateLimit: z.object({ count: z.number(), window: z.number() }).nullable(),
    dsn: DSN,
    browserSdkVersion: z.string(),
    browserSdk: z.object({ choices: z.array(z.array(z.string())) }),
    dynamicSdkLoaderOptions: z.object({
      hasReplay: z.boolean(),
      hasPerformance: z.boolean(),
      hasDebug: z.boolean(),
      hasFeedback: z.boolean(),
      hasLogsAndMetrics: z.boolean(),
    }),
    dateCreated: z.string(),
  })
  .meta({ id: 'Key' });
