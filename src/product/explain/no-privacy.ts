import type { PrivacySettings } from '#protocol/ingest-settings.ts';

/** Leaves private data where it is. */
export const NO_PRIVACY: PrivacySettings = {
  defaultRules: false,
  scrubIpAddresses: false,
  sensitiveFields: [],
  safeFields: [],
  advancedRules: [],
  textAttachments: 'keep',
  recordings: 'keep',
};
