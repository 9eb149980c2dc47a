import { FREQUENCY_MINUTES_MIN } from '#domain/alerts/alert-definition.ts';
import type { AlertTrigger } from '#domain/alerts/alert-rule.ts';
import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { AlertRuleRecord } from '../../alert-records.ts';
import type { TransferRecord } from '../../records.ts';
import { flagOf, numberOf, textOf } from '../foreign-values.ts';
import type { BugsinkSchema } from './bugsink-schema.ts';
import type { BugsinkProject } from './read-structure.ts';

/** Switches of a project, and what triggers here. */
const SWITCHES: readonly (readonly [column: string, trigger: AlertTrigger])[] = [
  ['alert_on_new_issue', 'first_seen'],
  ['alert_on_regression', 'regression'],
  ['alert_on_unmute', 'escalation'],
];

/** One rule for each project that notifies of anything: its members by mail, and its messaging services. */
export async function* readAlerts(
  database: ForeignDatabase,
  projects: readonly BugsinkProject[],
  { hasMessagingServices }: BugsinkSchema,
): AsyncGenerator<TransferRecord> {
  const services: readonly ForeignRow[] = hasMessagingServices
    ? await database.rows(
        'SELECT project_id, kind, display_name FROM alerts_messagingserviceconfig ORDER BY id',
        [],
      )
    : [];
  for (const { id, slug, row } of projects) {
    const triggers = SWITCHES.filter(([column]) => flagOf(row[column])).map(([, trigger]) => trigger);
    if (triggers.length === 0) continue;
    const receivers: AlertRuleRecord['definition']['receivers'] = [{ kind: 'owners', otherwise: 'members' }];
    for (const service of services.filter(({ project_id }) => numberOf(project_id) === id)) {
      const kind = textOf(service.kind) ?? 'webhook';
      receivers.push({
        kind: 'destination',
        service: kind === 'custom' ? 'webhook' : kind,
        name: textOf(service.display_name) ?? kind,
      });
    }
    yield {
      kind: 'alert_rule',
      id: String(id),
      project: String(id),
      name: `Alerts of ${slug}`,
      environment: null,
      owner: null,
      definition: {
        kind: 'issue',
        triggers,
        filters: [],
        filterMatch: 'all',
        frequencyMinutes: FREQUENCY_MINUTES_MIN,
        receivers,
      },
      isEnabled: true,
      snoozedUntil: null,
      createdBy: null,
    };
  }
}
