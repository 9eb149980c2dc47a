import { z } from 'zod';
import { each, shapeOf } from '#app/api/0/shape.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';

const FIELDS = z.array(z.string().max(1_000)).max(1_000);

/** What is scrubbed, in the names that the reference has on organizations and projects. */
export const PRIVACY_CHANGE = z.object({
  dataScrubberDefaults: z.boolean().optional(),
  scrubIPAddresses: z.boolean().optional(),
  sensitiveFields: FIELDS.optional(),
  safeFields: FIELDS.optional(),
});

/** Only what the body names. */
export const changePrivacyOf = (body: z.infer<typeof PRIVACY_CHANGE>): Partial<PrivacySettings> => ({
  ...(body.dataScrubberDefaults !== undefined && { defaultRules: body.dataScrubberDefaults }),
  ...(body.scrubIPAddresses !== undefined && { scrubIpAddresses: body.scrubIPAddresses }),
  ...(body.sensitiveFields !== undefined && { sensitiveFields: body.sensitiveFields }),
  ...(body.safeFields !== undefined && { safeFields: body.safeFields }),
});

/** What is scrubbed, as the reference has it on organizations and projects. */
export const [, , PRIVACY_FIELDS] = shapeOf<PrivacySettings>()({
  // Sentry has a switch over this one: here the fields count whether or not it is on.
  ...each([z.boolean(), 'defaultRules'], 'dataScrubber', 'dataScrubberDefaults'),
  scrubIPAddresses: [z.boolean(), 'scrubIpAddresses'],
  ...each(z.array(z.string()), 'sensitiveFields', 'safeFields'),
});
