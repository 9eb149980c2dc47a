import type { ProjectMonitor } from '#product/monitors/list-monitors.ts';
import type { CheckInSummary, MonitorEnvironment } from '#storage/ports/telemetry-summaries.ts';
import { isoOfMs } from './serialize-moment.ts';
import { serializeProjectSummary } from './serialize-project.ts';

/**
 * A monitor as its check-ins tell of it; its name is its slug.
 * Source of the fields: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/
 */
export function serializeMonitor({ slug, config, environments, project }: ProjectMonitor) {
  const states = environments.map(stateOf);
  return {
    id: `${project.id}:${slug}`,
    slug,
    name: slug,
    status: 'active',
    isMuted: false,
    config: config ?? {},
    dateCreated: isoOfMs(Math.min(...environments.map((each) => each.firstCheckInAt))),
    project: serializeProjectSummary(project),
    environments: environments.map((each, index) => ({
      name: each.name,
      status: states[index],
      lastCheckIn: isoOfMs(each.lastCheckInAt),
      nextCheckIn: null,
      dateCreated: isoOfMs(each.firstCheckInAt),
      isMuted: false,
    })),
  };
}

/** What is late or did not end in time is an error too; `active` before anything has ended. */
const stateOf = ({ status }: MonitorEnvironment): 'active' | 'ok' | 'error' =>
  status === null ? 'active' : status === 'ok' ? 'ok' : 'error';

/** Source of the fields: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
export const serializeCheckIn = (row: CheckInSummary) => ({
  id: row.checkInId,
  monitorSlug: row.monitorSlug,
  projectID: String(row.projectId),
  environment: row.environment,
  status: row.status,
  duration: row.durationMs,
  dateCreated: isoOfMs(row.startedAt),
  dateAdded: isoOfMs(row.startedAt),
  dateUpdated: isoOfMs(row.updatedAt),
  monitorConfig: row.monitorConfig ?? {},
  traceId: row.traceId,
});
