import type { PrivacySettings } from '#protocol/ingest-settings.ts';

/** What is scrubbed, as the reference has it on organizations and projects. */
export const serializePrivacy = ({ defaultRules, ...settings }: PrivacySettings) => ({
  // Sentry has a switch over this one: here the fields count whether or not it is on.
  dataScrubber: defaultRules,
  dataScrubberDefaults: defaultRules,
  scrubIPAddresses: settings.scrubIpAddresses,
  sensitiveFields: settings.sensitiveFields,
  safeFields: settings.safeFields,
});
