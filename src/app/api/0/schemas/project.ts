import { z } from 'zod';
import { ORGANIZATION } from './organization.ts';
import { AVATAR, SCOPE, SLUGGED } from './parts.ts';

export const PROJECT_SUMMARY = z
  .object({ id: z.string(), slug: z.string(), name: z.string(), platform: z.string().nullable() })
  .meta({ id: 'ProjectSummary' });

/** As part of a team. */
export const PROJECT_CORE = PROJECT_SUMMARY.extend({
  dateCreated: z.string(),
  firstEvent: z.string().nullable(),
  firstTransactionEvent: z.boolean(),
  status: z.string(),
  isInternal: z.boolean(),
  isPublic: z.boolean(),
  isMember: z.boolean(),
  hasAccess: z.boolean(),
  isBookmarked: z.boolean(),
  access: z.array(SCOPE),
  avatar: AVATAR,
  color: z.string(),
  features: z.array(z.unknown()),
  platforms: z.array(z.string()),
}).meta({ id: 'ProjectCore' });

export const PROJECT = PROJECT_CORE.extend({
  team: SLUGGED.nullable(),
  teams: z.array(SLUGGED),
  organization: ORGANIZATION,
}).meta({ id: 'Project' });

/** With its settings. */
export const PROJECT_DETAIL = PROJECT.extend({
  team: SLUGGED.optional(),
  latestRelease: z.object({ version: z.string() }).nullable(),
  options: z.object({}),
  fingerprintingRules: z.string(),
  groupingEnhancements: z.string(),
  resolveAge: z.number(),
  plugins: z.array(z.unknown()),
  processingIssues: z.number(),
  defaultEnvironment: z.null(),
  dataScrubber: z.boolean(),
  dataScrubberDefaults: z.boolean(),
  scrubIPAddresses: z.boolean(),
  sensitiveFields: z.array(z.string()),
  safeFields: z.array(z.string()),
}).meta({ id: 'ProjectDetail' });
