import { deliveryHealthOperations } from './endpoints/alerts/delivery-health.ts';
import { destinationOperations } from './endpoints/alerts/destinations.ts';
import { detectorOperations } from './endpoints/alerts/detectors.ts';
import { issueRuleOperations } from './endpoints/alerts/issue-rules.ts';
import { metricRuleOperations } from './endpoints/alerts/metric-rules.ts';
import { workflowOperations } from './endpoints/alerts/workflows.ts';
import { dashboardOperations } from './endpoints/dashboards/dashboards.ts';
import { attachmentOperations } from './endpoints/events/attachments.ts';
import { attributeOperations } from './endpoints/events/attributes.ts';
import { eventSeriesOperations } from './endpoints/events/event-series.ts';
import { eventOperations } from './endpoints/events/events.ts';
import { eventsTableOperations } from './endpoints/events/events-table.ts';
import { facetOperations } from './endpoints/events/facets.ts';
import { savedQueryOperations } from './endpoints/events/saved-queries.ts';
import { selectionOperations } from './endpoints/events/selection.ts';
import { traceItemOperations } from './endpoints/events/trace-items.ts';
import { traceListOperations } from './endpoints/events/trace-list.ts';
import { validateEventsOperations } from './endpoints/events/validate-events.ts';
import { commentOperations } from './endpoints/issues/comments.ts';
import { discardedIssueOperations } from './endpoints/issues/discarded-issues.ts';
import { feedbackOperations } from './endpoints/issues/feedback.ts';
import { issueHashOperations } from './endpoints/issues/issue-hashes.ts';
import { issueLinkOperations } from './endpoints/issues/issue-links.ts';
import { issueListOperations } from './endpoints/issues/issue-lists.ts';
import { issueSharingOperations } from './endpoints/issues/issue-sharing.ts';
import { issueOperations } from './endpoints/issues/issues.ts';
import { savedSearchOperations } from './endpoints/issues/saved-searches.ts';
import { tagOperations } from './endpoints/issues/tags.ts';
import { accountOperations } from './endpoints/organization/account.ts';
import { auditLogOperations } from './endpoints/organization/audit-log.ts';
import { dataRequestOperations } from './endpoints/organization/data-requests.ts';
import { memberOperations } from './endpoints/organization/members.ts';
import { organizationTokenOperations } from './endpoints/organization/organization-tokens.ts';
import { organizationOperations } from './endpoints/organization/organizations.ts';
import { teamMemberOperations } from './endpoints/organization/team-members.ts';
import { teamProjectOperations } from './endpoints/organization/team-projects.ts';
import { teamOperations } from './endpoints/organization/teams.ts';
import { environmentOperations } from './endpoints/projects/environments.ts';
import { filterOperations } from './endpoints/projects/filters.ts';
import { groupingRuleOperations } from './endpoints/projects/grouping-rules.ts';
import { keyOperations } from './endpoints/projects/keys.ts';
import { limitOperations } from './endpoints/projects/limits.ts';
import { ownershipOperations } from './endpoints/projects/ownership.ts';
import { privacyOperations } from './endpoints/projects/privacy.ts';
import { projectStatsOperations } from './endpoints/projects/project-stats.ts';
import { projectOperations } from './endpoints/projects/projects.ts';
import { spikeProtectionOperations } from './endpoints/projects/spike-protection.ts';
import { statsOperations } from './endpoints/projects/stats.ts';
import { codeMappingOperations } from './endpoints/releases/code-mappings.ts';
import { commitOperations } from './endpoints/releases/commits.ts';
import { deployOperations } from './endpoints/releases/deploys.ts';
import { releaseVerdictOperations } from './endpoints/releases/release-verdict.ts';
import { releaseOperations } from './endpoints/releases/releases.ts';
import { repositoryOperations } from './endpoints/releases/repositories.ts';
import { monitorOperations } from './endpoints/telemetry/monitors.ts';
import { profileOperations } from './endpoints/telemetry/profiles.ts';
import { replayCountOperations } from './endpoints/telemetry/replay-count.ts';
import { replayOperations } from './endpoints/telemetry/replays.ts';
import { sessionOperations } from './endpoints/telemetry/sessions.ts';
import { logAndMetricOperations } from './endpoints/telemetry/telemetry-lists.ts';
import { traceOperations } from './endpoints/telemetry/traces.ts';
import { transactionOperations } from './endpoints/telemetry/transactions.ts';
import { uptimeOperations } from './endpoints/telemetry/uptime.ts';
import { artifactBundleOperations } from './endpoints/uploads/artifact-bundles.ts';
import { assemblyOperations } from './endpoints/uploads/assembly.ts';
import { chunkUploadOperations } from './endpoints/uploads/chunk-upload.ts';
import { debugFileOperations } from './endpoints/uploads/debug-files.ts';
import { releaseFileOperations } from './endpoints/uploads/release-files.ts';
import { reprocessingOperations } from './endpoints/uploads/reprocessing.ts';
import { sourceMapDebugOperations } from './endpoints/uploads/source-map-debug.ts';
import type { Operation } from './operation.ts';

/** Everything that the API answers: what is named here is routed, checked and documented. */
export const OPERATIONS: readonly Operation[] = [
  ...issueRuleOperations,
  ...metricRuleOperations,
  ...workflowOperations,
  ...detectorOperations,
  ...deliveryHealthOperations,
  ...destinationOperations,
  ...artifactBundleOperations,
  ...chunkUploadOperations,
  ...assemblyOperations,
  ...debugFileOperations,
  ...releaseFileOperations,
  ...sourceMapDebugOperations,
  ...reprocessingOperations,
  ...accountOperations,
  ...auditLogOperations,
  ...organizationOperations,
  ...organizationTokenOperations,
  ...dataRequestOperations,
  ...memberOperations,
  ...teamOperations,
  ...teamMemberOperations,
  ...teamProjectOperations,
  ...projectOperations,
  ...keyOperations,
  ...limitOperations,
  ...spikeProtectionOperations,
  ...filterOperations,
  ...groupingRuleOperations,
  ...environmentOperations,
  ...ownershipOperations,
  ...privacyOperations,
  ...statsOperations,
  ...projectStatsOperations,
  ...issueOperations,
  ...issueListOperations,
  ...commentOperations,
  ...issueHashOperations,
  ...issueLinkOperations,
  ...issueSharingOperations,
  ...tagOperations,
  ...discardedIssueOperations,
  ...savedSearchOperations,
  ...feedbackOperations,
  ...eventOperations,
  ...attachmentOperations,
  ...eventSeriesOperations,
  ...eventsTableOperations,
  ...facetOperations,
  ...validateEventsOperations,
  ...savedQueryOperations,
  ...selectionOperations,
  ...dashboardOperations,
  ...releaseOperations,
  ...releaseVerdictOperations,
  ...deployOperations,
  ...commitOperations,
  ...repositoryOperations,
  ...codeMappingOperations,
  ...logAndMetricOperations,
  ...sessionOperations,
  ...profileOperations,
  ...transactionOperations,
  ...traceOperations,
  ...traceListOperations,
  ...traceItemOperations,
  ...attributeOperations,
  ...monitorOperations,
  ...uptimeOperations,
  ...replayOperations,
  ...replayCountOperations,
];
