import { z } from 'zod';
import { PROJECT_CORE } from './project.ts';

export const CONFIG = z
  .object({
    schedule_type: z.string().nullable(),
    schedule: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]).nullable(),
    checkin_margin: z.number().nullable(),
    max_runtime: z.number().nullable(),
    timezone: z.string().nullable(),
    failure_issue_threshold: z.number().nullable(),
    recovery_threshold: z.number().nullable(),
    alert_rule_id: z.null(),
  })
  .meta({ id: 'Config' });

export const ENVIRONMENT = z
  .object({
    name: z.string(),
    status: z.enum(['ok', 'error', 'active']),
    lastCheckIn: z.string(),
    nextCheckIn: z.null(),
    nextCheckInLatest: z.null(),
    activeIncident: z.null(),
    dateCreated: z.string(),
    isMuted: z.boolean(),
  })
  .meta({ id: 'Environment' });

export const MONITOR = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    status: z.string(),
    isMuted: z.boolean(),
    isUpserting: z.boolean(),
    config: CONFIG,
    dateCreated: z.string(),
    project: PROJECT_CORE,
    environments: z.array(ENVIRONMENT),
    owner: z.null(),
  })
  .meta({ id: 'Monitor' });

export const CHECK_IN = z
  .object({
    id: z.string(),
    monitorSlug: z.string(),
    projectID: z.string(),
    environment: z.string(),
    status: z.enum(['ok', 'error', 'in_progress', 'missed', 'timeout']),
    duration: z.number().nullable(),
    dateCreated: z.string(),
    dateAdded: z.string(),
    dateUpdated: z.string(),
    dateInProgress: z.string(),
    dateClock: z.string(),
    expectedTime: z.null(),
    monitorConfig: CONFIG,
    traceId: z.string().nullable(),
  })
  .meta({ id: 'CheckIn' });
