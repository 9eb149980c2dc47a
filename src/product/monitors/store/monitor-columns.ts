import { sql } from 'kysely';

/** What a `Monitor` is read from, of the table `m`. */
export const MONITOR_COLUMNS = sql`m.id, m.guid, m.organization_id, m.project_id, m.slug, m.name, m.schedule, m.time_zone,
  m.checkin_margin, m.max_runtime, m.failure_issue_threshold, m.recovery_threshold, m.owner_user_id, m.owner_team_id,
  m.is_disabled, m.is_muted, m.is_upserting, m.config_problem, m.created_at`;

/** What a `MonitorEnvironment` is read from, of the table `e`. */
export const ENVIRONMENT_COLUMNS = sql`e.id, e.monitor_id, e.name, e.is_disabled, e.is_muted, e.created_at,
  e.first_check_in_at, e.last_check_in_at, e.last_ok_at, e.last_result_at, e.next_expected_at, e.deadline_at, e.failures,
  e.successes, e.incident_id, e.incident_started_at, e.incident_told_at, e.runs`;
