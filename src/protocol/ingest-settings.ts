/** What a project's members decide about what is taken in: filters, privacy, spikes, quotas, detection. */

import type { PerformanceIssueType } from './performance-issue.ts';

/** Browsers and their last version that counts as too old: the first eight are those that Sentry offers today. */
export const BROWSER_FILTERS = [
  'ie',
  'edge',
  'safari',
  'firefox',
  'chrome',
  'opera',
  'opera_mini',
  'android',
  'edge_pre_79',
  'safari_pre_15',
  'safari_pre_6',
  'firefox_pre_67',
  'chrome_pre_63',
  'opera_pre_15',
  'opera_mini_pre_8',
  'android_pre_4',
  'ie_pre_9',
  'ie9',
  'ie10',
  'ie11',
] as const;
export type LegacyBrowser = (typeof BROWSER_FILTERS)[number];

/** Inbound filters: an event that one of them matches is dropped with the outcome `filtered`. */
export type FilterSettings = {
  browserExtensions: boolean;
  /** Off when empty. */
  legacyBrowsers: readonly LegacyBrowser[];
  localhost: boolean;
  webCrawlers: boolean;
  healthChecks: boolean;
  reactHydrationErrors: boolean;
  chunkLoadErrors: boolean;
  /** Addresses and CIDR ranges of senders. */
  ipAddresses: readonly string[];
  /** Globs over release names. */
  releases: readonly string[];
  /** Globs over error messages. */
  errorMessages: readonly string[];
};

/** What is taken out of everything that is stored. A project's settings add to its organization's. */
export type PrivacySettings = {
  /** Passwords, tokens, credit cards and the like, in fields with telling names and in text. */
  defaultRules: boolean;
  scrubIpAddresses: boolean;
  /** Names of further fields to empty. */
  sensitiveFields: readonly string[];
  /** Names of fields that the default rules leave alone. */
  safeFields: readonly string[];
  /** In the order in which they are applied. */
  advancedRules: readonly AdvancedRule[];
  /** Of attachments those that are text; nothing is searched in pictures, dumps and archives. */
  textAttachments: BodyPolicy;
  /** Of replays: what was on the screen, as JSON. */
  recordings: BodyPolicy;
};

/** What becomes of a file, from the mildest to the strictest. */
export const BODY_POLICIES = ['keep', 'scrub', 'discard'] as const;
export type BodyPolicy = (typeof BODY_POLICIES)[number];

/** One line of the advanced rules: `[method] [type] from [selector]`. */
export type AdvancedRule = {
  /** What becomes of a match. */
  method: 'remove' | 'mask' | 'hash' | 'replace';
  /** Name of a built-in pattern (`creditcard`, `email`, `password` …), `anything` or `pattern`. */
  type: string;
  /** For type `pattern`: a regular expression; else null. */
  pattern: string | null;
  /** For method `replace`; null: a placeholder that names the type. */
  placeholder: string | null;
  /** Relay's selector language, for example `$error.value || extra.'my key'`. */
  selector: string;
};

export type SpikeSettings = {
  isEnabled: boolean;
  /** Events per hour and issue of which every body is kept; beyond it they are sampled. */
  bodiesPerHour: number;
};

/** Which problems are looked for in the spans of transactions. */
export type PerformanceSettings = {
  isEnabled: boolean;
  /** Those that are switched off: a detector that is added later is on. */
  disabledDetectors: readonly PerformanceIssueType[];
};

/** All that digest must know of a project. */
export type IngestSettings = {
  filters: FilterSettings;
  privacy: PrivacySettings;
  spike: SpikeSettings;
  performance: PerformanceSettings;
};

export const NO_FILTERS: FilterSettings = {
  browserExtensions: false,
  legacyBrowsers: [],
  localhost: false,
  webCrawlers: false,
  healthChecks: false,
  reactHydrationErrors: false,
  chunkLoadErrors: false,
  ipAddresses: [],
  releases: [],
  errorMessages: [],
};

/** What a new project has: as in the reference, health checks and browser noise that nobody can act on are filtered. */
export const DEFAULT_INGEST_SETTINGS: IngestSettings = {
  filters: {
    ...NO_FILTERS,
    webCrawlers: true,
    healthChecks: true,
    reactHydrationErrors: true,
    chunkLoadErrors: true,
  },
  privacy: {
    defaultRules: true,
    scrubIpAddresses: false,
    sensitiveFields: [],
    safeFields: [],
    advancedRules: [],
    textAttachments: 'scrub',
    recordings: 'scrub',
  },
  spike: { isEnabled: true, bodiesPerHour: 1_000 },
  performance: { isEnabled: true, disabledDetectors: [] },
};

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
