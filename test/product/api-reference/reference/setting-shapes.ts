import { z } from 'zod';
import { anything, flag, number, text } from './primitives.ts';

export const integration = z.looseObject({
  id: text,
  name: text,
  icon: text.nullable(),
  domainName: text.nullable(),
  accountType: text.nullable(),
  scopes: z.array(text).nullable(),
  status: text,
  provider: anything,
  configOrganization: anything,
  configData: anything,
  externalId: text,
  organizationId: number,
  organizationIntegrationStatus: text,
  gracePeriodEnd: text.nullable(),
});

export const dsn = z.looseObject({
  secret: text,
  public: text,
  csp: text,
  security: text,
  minidump: text,
  nel: text,
  unreal: text,
  crons: text,
  cdn: text,
  playstation: text,
  integration: text,
  otlp_traces: text,
  otlp_logs: text,
});

export const clientKey = z.looseObject({
  id: text,
  name: text,
  label: text,
  public: text.nullable(),
  secret: text.nullable(),
  projectId: number,
  isActive: flag,
  rateLimit: z.looseObject({ window: number, count: number }).nullable(),
  dsn: dsn,
  browserSdkVersion: text,
  browserSdk: z.looseObject({ choices: z.array(z.array(text)) }),
  dateCreated: text.nullable(),
  dynamicSdkLoaderOptions: z.looseObject({
    hasReplay: flag,
    hasPerformance: flag,
    hasDebug: flag,
    hasFeedback: flag,
    hasLogsAndMetrics: flag,
  }),
  useCase: text.optional(),
});

export const environment = z.looseObject({ id: text, name: text, isHidden: flag });

export const ownership = z.looseObject({
  raw: text,
  fallthrough: flag,
  dateCreated: text,
  lastUpdated: text,
  isActive: flag,
  autoAssignment: text,
  codeownersAutoSync: flag,
});

export const organizationToken = z.looseObject({
  id: text,
  name: text,
  scopes: z.array(text),
  tokenLastCharacters: text,
  dateCreated: text,
  dateLastUsed: text.nullable(),
  projectLastUsedId: text.nullable(),
});
