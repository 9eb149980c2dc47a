import { type MigrationFacts, UNKNOWN_MIGRATION } from '#lib/migration-facts.ts';

const instant = (summary: string, isCompatible: boolean): MigrationFacts => ({
  summary,
  cost: null,
  isCompatible,
});

/** Of every file of `migrations/`. Those up to 0018 are of the first release: nothing before it reads what is noted. */
const FACTS: Readonly<Record<string, MigrationFacts>> = {
  '0001_core.sql': instant('Organizations, projects, issues and what digest notes', false),
  '0002_accounts.sql': instant('Accounts, sessions and tokens', false),
  '0003_ingest_settings.sql': instant('Filters, privacy settings and quotas', false),
  '0004_retention.sql': instant('What retention dropped', false),
  '0005_issue_states.sql': {
    summary: 'How issues are resolved and archived, and versions of releases',
    cost: { tables: ['issues', 'releases'], passes: 4, growth: 1.2 },
    isCompatible: false,
  },
  '0006_issue_people.sql': {
    summary: 'Teams, ownership, bookmarks, links and deletion of issues',
    cost: { tables: ['issues'], passes: 2, growth: 0.1 },
    isCompatible: false,
  },
  '0007_saved_searches.sql': instant('Saved searches', false),
  '0008_grouping_rules.sql': {
    summary: 'Grouping rules, and counts for each grouping hash',
    cost: { tables: ['grouping_hashes', 'issues'], passes: 2, growth: 1 },
    isCompatible: false,
  },
  '0009_account_security.sql': instant('Second factors, passkeys and session times', false),
  '0010_members_audit.sql': instant('Invitations, the audit log and organization tokens', false),
  '0011_artifacts.sql': instant('Uploads and their files', false),
  '0012_commits.sql': {
    summary: 'Repositories, commits and deploys',
    cost: { tables: ['issues'], passes: 1, growth: 0.05 },
    isCompatible: false,
  },
  '0013_reprocess.sql': instant('Uploads applied to stored events', false),
  '0014_alerts.sql': {
    summary: 'Alert rules, destinations and deliveries',
    cost: { tables: ['activities', 'outbox'], passes: 3, growth: 0.2 },
    isCompatible: false,
  },
  '0015_oauth.sql': instant('Sign-in of agents', false),
  '0016_trackers.sql': instant('Issue trackers', false),
  '0017_organization_token_expiry.sql': instant('Expiry of organization tokens', false),
  '0018_storage_budgets.sql': instant('Disk budgets of projects', false),
  '0019_issue_sorts.sql': instant('More ways to sort saved searches', false),
  '0022_saved_queries.sql': instant('Saved queries of Explore', false),
  '0023_monitors.sql': instant('Cron monitors', true),
  '0024_uptime.sql': instant('Uptime monitors and status pages', true),
  '0026_release_adoptions.sql': instant('When releases were adopted', true),
  '0027_dashboards.sql': instant('Dashboards', true),
  '0028_feedback_replies.sql': {
    summary: 'Replies to feedback',
    cost: { tables: ['deliveries'], passes: 3, growth: 0.05 },
    isCompatible: false,
  },
  '0029_feedback_forms.sql': instant('Public feedback forms', true),
  '0030_dashboard_shares.sql': instant('Shared dashboards', true),
  '0033_slow_metric_rules.sql': instant('How long metric rules take', true),
  '0034_backups.sql': instant('Backups and their schedule', true),
  // An older version would show again what was hidden, and stop erasing.
  '0035_data_requests.sql': instant('Data requests and erasures', false),
  '0036_spool_partitions.sql': instant('The spool on Kafka', true),
  // An older version would take symbol files for mappings of Java.
  '0037_debug_files.sql': instant('Symbol files of native code', false),
  '0038_upgrade_backups.sql': instant('Backups made before an upgrade are listed', true),
  // An older version would refuse events under the old DSNs of imported keys.
  '0039_transfers.sql': instant('Imports, and old DSNs of imported keys', false),
  '0040_machines.sql': instant('Machines that share the database', true),
};

export const factsOf = (name: string): MigrationFacts => FACTS[name] ?? UNKNOWN_MIGRATION;
export const factNames = (): readonly string[] => Object.keys(FACTS);
