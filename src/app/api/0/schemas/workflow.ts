import { z } from 'zod';

const CONDITION = z.object({
  id: z.string(),
  type: z.string(),
  comparison: z.unknown(),
  conditionResult: z.boolean(),
});

const ACTION = z.object({
  id: z.string(),
  /** `email`, or the kind of a destination. */
  type: z.string(),
  integrationId: z.string().nullable(),
  config: z.object({
    targetType: z.string(),
    targetIdentifier: z.string().nullable(),
    targetDisplay: z.string().nullable(),
  }),
  status: z.string(),
  data: z.object({}),
});

const CONDITIONS = z.object({
  id: z.string(),
  organizationId: z.string(),
  logicType: z.string(),
  conditions: z.array(CONDITION),
  actions: z.array(ACTION),
});

export const WORKFLOW = z
  .object({
    id: z.string(),
    name: z.string(),
    organizationId: z.string(),
    enabled: z.boolean(),
    environment: z.string().nullable(),
    owner: z.string().nullable(),
    projects: z.array(z.string()),
    config: z.object({ frequency: z.number() }),
    triggers: CONDITIONS,
    actionFilters: z.array(CONDITIONS),
    detectorIds: z.array(z.unknown()),
    dateCreated: z.string(),
    dateUpdated: z.string(),
    lastTriggered: z.string().nullable(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Workflow' });
