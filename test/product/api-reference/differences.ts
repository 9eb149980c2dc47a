/** What answers have other than the reference, on purpose. */
export type Difference = {
  /** Fits operations such as `GET organizations/{org}/teams/`. */
  of: RegExp;
  /** What `compareShapes` says, from the name of the field on: `avatar.avatarUrl: missing`. */
  parts: readonly string[];
  /** The fields as docs/api.md names them. */
  fields: string;
  /** What is so here, and why. */
  reason: string;
};

const missing = (...names: readonly string[]): readonly string[] => names.map((name) => `${name}: missing`);

/** Whether it allows for a difference of an operation, such as `[].user.avatarUrl: missing`. */
export const allows = ({ of, parts }: Difference, operation: string, difference: string): boolean =>
  of.test(operation) && parts.some((part) => isAt(difference, part));

export const isAt = (difference: string, part: string): boolean =>
  difference === part || difference.endsWith(`.${part}`);

export const DIFFERENCES: readonly Difference[] = [
  {
    of: /projects|teams|monitors|PUT organizations\/\{org\}\/$/,
    parts: missing(
      'hasFeedbacks',
      'hasFlags',
      'hasMinifiedStackTrace',
      'hasMonitors',
      'hasNewFeedbacks',
      'hasProfiles',
      'hasReplays',
      'hasSessions',
      'hasInsightsHttp',
      'hasInsightsDb',
      'hasInsightsAssets',
      'hasInsightsAppStart',
      'hasInsightsScreenLoad',
      'hasInsightsVitals',
      'hasInsightsCaches',
      'hasInsightsQueues',
      'hasInsightsAgentMonitoring',
      'hasInsightsMCP',
      'hasLogs',
      'hasTraceMetrics',
      'hasUserReports',
    ),
    fields: '`hasSessions`, `hasReplays`, `hasLogs` … of a project',
    reason: 'missing: what a project sends is told by `stats_v2/`',
  },
  {
    of: /releases/,
    parts: missing('hasHealthData'),
    fields: '`hasHealthData` of a release’s project',
    reason: 'only with `health=1`',
  },
  {
    of: /members|releases/,
    parts: missing('hasPasswordAuth'),
    fields: '`hasPasswordAuth` of a person',
    reason: 'missing: how people sign in is theirs',
  },
  {
    of: /projects|PUT organizations\/\{org\}\/$/,
    parts: missing('latestRelease', 'environments'),
    fields: '`latestRelease` of projects in lists, `environments` of those of teams and organizations',
    reason: 'missing: a project by itself has the first, `projects/` and `environments/` list the second',
  },
  {
    of: /organizations\/\{org\}\/$/,
    parts: missing(
      'aggregatedDataConsent',
      'allowBackgroundAgentDelegation',
      'attachmentsRole',
      'autoEnableCodeReview',
      'autoOpenPrs',
      'codecovAccess',
      'debugFilesRole',
      'defaultAutofixAutomationTuning',
      'defaultCodeReviewTriggers',
      'defaultSeerScannerAutomation',
      'enablePrReviewTestGeneration',
      'enableSeerCoding',
      'enableSeerEnhancedAlerts',
      'enhancedPrivacy',
      'githubNudgeInvite',
      'githubPRBot',
      'gitlabPRBot',
      'hideAiFeatures',
      'isDynamicallySampled',
      'issueAlertsThreadFlag',
      'metricAlertsThreadFlag',
      'relayPiiConfig',
      'requiresSso',
      'scrapeJavaScript',
      'storeCrashReports',
    ),
    fields: 'settings of an organization for Sentry’s plans, Seer, Relay and integrations',
    reason: 'missing: there is nothing that they would switch',
  },
  {
    of: /projects\/\{org\}\/\{project\}\/$/,
    parts: missing(
      'allowedDomains',
      'autofixAutomationTuning',
      'builtinSymbolSources',
      'debugFilesRole',
      'derivedGroupingEnhancements',
      'digestsMaxDelay',
      'digestsMinDelay',
      'dynamicSamplingBiases',
      'groupingConfig',
      'highlightContext',
      'highlightPreset',
      'highlightTags',
      'isDynamicallySampled',
      'relayPiiConfig',
      'scrapeJavaScript',
      'secondaryGroupingConfig',
      'secondaryGroupingExpiry',
      'securityToken',
      'securityTokenHeader',
      'seerScannerAutomation',
      'storeCrashReports',
      'subjectPrefix',
      'subjectTemplate',
      'symbolSources',
      'tempestFetchScreenshots',
      'verifySSL',
    ),
    fields: 'settings of a project for mails, sampling, symbol sources, Seer and highlights',
    reason: 'missing: there is nothing that they would switch',
  },
  {
    of: /issues|shortids/,
    parts: ['shareId: null instead of string', 'assignedTo: null instead of object'],
    fields: '`shareId`, `assignedTo` of an issue',
    reason: '`null` where there is none; the reference has no word for that',
  },
  {
    of: /issues\/$|shortids/,
    parts: missing(
      'seerAutofixLastTriggered',
      'seerFixabilityScore',
      'inbox',
      'isUnhandled',
      'latestEventHasAttachments',
      'owners',
      'sessionCount',
      'integrationIssues',
    ),
    fields:
      '`seer…`, `inbox`, `isUnhandled`, `owners`, `sessionCount`, `integrationIssues`, `latestEventHasAttachments` of issues in lists',
    reason: 'missing: an issue by itself, its events and its `external-issues/` tell what of it there is',
  },
  {
    of: /issues/,
    parts: missing('metadata.filename'),
    fields: '`metadata.filename` of an issue',
    reason: 'missing: not every error has a file',
  },
  {
    of: /events\/|eventids\//,
    parts: ['sdk: null instead of record', 'sdk: null instead of object'],
    fields: '`sdk` of an event',
    reason: '`null` where the event names none',
  },
  {
    of: /releases/,
    parts: missing(
      'authors[].avatarUrl',
      'authors[].dateJoined',
      'authors[].id',
      'authors[].isActive',
      'authors[].isManaged',
      'authors[].username',
    ),
    fields: '`authors` of a release',
    reason: 'name and address alone where the author is no member',
  },
  {
    of: /monitors/,
    parts: ['environments: array instead of object', 'owner: null instead of object'],
    fields: '`environments`, `owner` of a monitor',
    reason: 'environments are a list, as Sentry answers them; `null` for a monitor that nobody owns',
  },
  {
    of: /ownership/,
    parts: ['dateCreated: missing', 'lastUpdated: null instead of string', 'status: 200 instead of 202'],
    fields: '`dateCreated`, `lastUpdated` of ownership, the status of a change',
    reason: 'not kept; `null` before the first change; a change has happened when it is answered',
  },
  {
    of: /POST organizations\/\{org\}\/members\//,
    parts: ['user: null instead of object'],
    fields: '`user` of an invitation',
    reason: '`null` until it is accepted',
  },
  {
    of: /replays\//,
    parts: [': object instead of array', '[]: object instead of array'],
    fields: 'lists of replays and of segments',
    reason:
      'replays stand in `data`, as Sentry answers them; a segment is told of, its content with `download`',
  },
  {
    of: /user-feedback/,
    parts: ['event: null instead of object', 'eventID: null instead of string'],
    fields: '`event`, `eventID` of feedback',
    reason: '`null` for feedback about no event',
  },
  {
    of: /PUT projects\/\{org\}\/\{project\}\/issues\//,
    parts: missing('isPublic'),
    fields: '`isPublic` of a change of many issues',
    reason: 'told where it was asked for',
  },
];
