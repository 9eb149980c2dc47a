import {
  BODY_POLICIES,
  type BodyPolicy,
  DEFAULT_INGEST_SETTINGS,
  type PrivacySettings,
} from './ingest-settings.ts';

/** What an organization that decided nothing demands of its projects: nothing beyond what each of them does. */
export const DEFAULT_ORGANIZATION_PRIVACY: PrivacySettings = {
  ...DEFAULT_INGEST_SETTINGS.privacy,
  defaultRules: false,
  textAttachments: 'keep',
  recordings: 'keep',
};

/**
 * What is done with a project's data: whatever its organization or the project itself wants. The organization's rules
 * come first, so a project cannot hide a value from them.
 */
export const mergePrivacy = (organization: PrivacySettings, project: PrivacySettings): PrivacySettings => ({
  defaultRules: organization.defaultRules || project.defaultRules,
  scrubIpAddresses: organization.scrubIpAddresses || project.scrubIpAddresses,
  sensitiveFields: unite(organization.sensitiveFields, project.sensitiveFields),
  safeFields: unite(organization.safeFields, project.safeFields),
  advancedRules: [...organization.advancedRules, ...project.advancedRules],
  textAttachments: strictest(organization.textAttachments, project.textAttachments),
  recordings: strictest(organization.recordings, project.recordings),
});

/** The stricter of two. */
export const strictest = (first: BodyPolicy, second: BodyPolicy): BodyPolicy =>
  BODY_POLICIES.indexOf(first) > BODY_POLICIES.indexOf(second) ? first : second;

const unite = (first: readonly string[], second: readonly string[]): string[] => [
  ...new Set([...first, ...second]),
];
