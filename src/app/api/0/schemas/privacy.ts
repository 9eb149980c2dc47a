import { z } from 'zod';
import { BODY_POLICIES } from '#protocol/ingest-settings.ts';

const ADVANCED_RULE = z.object({
  method: z.enum(['remove', 'mask', 'hash', 'replace']),
  type: z.string(),
  pattern: z.string().nullable(),
  placeholder: z.string().nullable(),
  selector: z.string(),
});

export const PRIVACY = z
  .object({
    dataScrubberDefaults: z.boolean(),
    scrubIPAddresses: z.boolean(),
    sensitiveFields: z.array(z.string()),
    safeFields: z.array(z.string()),
    advancedRules: z.array(ADVANCED_RULE),
    /** Whether attachments that are text are scrubbed, stored as sent, or not stored. */
    textAttachments: z.enum(BODY_POLICIES),
    recordings: z.enum(BODY_POLICIES),
  })
  .meta({ id: 'Privacy' });

/** With what the organization has scrubbed before. */
export const PROJECT_PRIVACY = PRIVACY.extend({ organization: PRIVACY }).meta({ id: 'ProjectPrivacy' });

export const PRIVACY_PREVIEW = z
  .object({
    /** null when no event is stored. */
    event: z
      .object({ occurredAt: z.string(), eventId: z.string(), projectId: z.number(), title: z.string() })
      .nullable(),
    changes: z.array(
      z.object({
        path: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
        rules: z.array(z.string()),
      }),
    ),
    furtherChanges: z.number(),
    /** How often each rule fits. */
    hits: z.array(z.number()),
    problems: z.array(
      z.object({
        list: z.enum(['sensitiveFields', 'safeFields', 'advancedRules']),
        index: z.number(),
        part: z.enum(['type', 'pattern', 'method', 'placeholder', 'selector']).nullable(),
        position: z.number().nullable(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'PrivacyPreview' });
