import { z } from 'zod';
import {
  IMPERSONAL_FILTERS,
  ISSUE_ALERT,
  METRIC_ALERT,
  RECEIVERS_MAX,
} from '#domain/alerts/alert-definition.ts';
import { EMAIL, OWNER, SOURCE_ID, TEXT, TIME } from './record-parts.ts';

/** As a filter of an alert rule, but with people by address and teams by the `id` of their record. */
const FILTER = z.discriminatedUnion('kind', [
  ...IMPERSONAL_FILTERS,
  z.object({
    kind: z.literal('assigned'),
    to: z.discriminatedUnion('kind', [z.object({ kind: z.literal('nobody') }), ...OWNER.options]),
  }),
]);

/** A destination has secrets, so only its name and its service are here: one that is alike is looked for. */
const RECEIVER = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('destination'), service: TEXT, name: TEXT }),
  z.object({ kind: z.literal('owners'), otherwise: z.enum(['members', 'nobody']) }),
  ...OWNER.options,
]);

/** May be empty, unlike that of a rule. */
const receivers = z.array(RECEIVER).max(RECEIVERS_MAX);

const DEFINITION = z.discriminatedUnion('kind', [
  ISSUE_ALERT.extend({ filters: z.array(FILTER).max(100), receivers }),
  METRIC_ALERT.extend({ receivers }),
]);

export const ALERT_RULE_RECORD = z.object({
  kind: z.literal('alert_rule'),
  id: SOURCE_ID,
  /** The `id` of the record of its project. */
  project: SOURCE_ID,
  name: TEXT,
  /** null for every one. */
  environment: TEXT.nullable(),
  owner: OWNER.nullable(),
  definition: DEFINITION,
  isEnabled: z.boolean(),
  /** `forever`, or until when; null when it is not snoozed. */
  snoozedUntil: z.union([z.literal('forever'), TIME]).nullable(),
  createdBy: EMAIL.nullable(),
});
export type AlertRuleRecord = z.output<typeof ALERT_RULE_RECORD>;
