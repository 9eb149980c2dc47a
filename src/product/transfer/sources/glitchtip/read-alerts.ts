import { COUNT_WINDOW_MINUTES_MAX, FREQUENCY_MINUTES_MIN } from '#domain/alerts/alert-definition.ts';
import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { AlertRuleRecord } from '../../alert-records.ts';
import type { TransferRecord } from '../../records.ts';
import { flagOf, numberOf, textOf } from '../foreign-values.ts';
import { placeholders } from '../read-by-key.ts';
import { unmapped } from '../unmapped.ts';
import type { GlitchtipSchema } from './glitchtip-schema.ts';
import type { GlitchtipProject } from './read-structure.ts';

type Receiver = AlertRuleRecord['definition']['receivers'][number];

/** Kinds of recipients by what the services are called here; the others have the same name or none. */
const SERVICES: Readonly<Record<string, string>> = { googlechat: 'google_chat', teams: 'msteams' };

/** `so many events of an issue within so many minutes`, with whom to notify. */
export async function* readAlerts(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
): AsyncGenerator<TransferRecord> {
  if (projects.length === 0 || schema.tableOf('alerts_projectalert') === null) return;
  const environment = schema.has('alerts_projectalert', 'environment') ? 'environment' : `''`;
  const alerts = await database.rows(
    `SELECT id, name, project_id, timespan_minutes, quantity, uptime, ${environment} AS environment FROM alerts_projectalert
       WHERE project_id IN (${placeholders(projects.length)}) ORDER BY id`,
    projects.map(({ id }) => id),
  );
  for (const row of alerts) {
    const recipients = await database.rows(
      'SELECT recipient_type, url FROM alerts_alertrecipient WHERE alert_id = $1 ORDER BY id',
      [numberOf(row.id)],
    );
    yield* ruleOf(row, recipients);
  }
}

function* ruleOf(row: ForeignRow, recipients: readonly ForeignRow[]): Generator<TransferRecord> {
  const id = String(row.id);
  const name = textOf(row.name) ?? `Alert ${id}`;
  if (flagOf(row.uptime)) {
    const reason =
      'Uptime monitors make issues here when a check fails: choose who is notified of new issues';
    yield unmapped('alert_rule', `${id}/uptime`, name, reason);
  }
  const quantity = numberOf(row.quantity);
  const minutes = numberOf(row.timespan_minutes);
  if (quantity === 0 || minutes === 0) return;
  yield {
    kind: 'alert_rule',
    id,
    project: String(row.project_id),
    name,
    environment: textOf(row.environment),
    owner: null,
    definition: {
      kind: 'issue',
      triggers: ['event'],
      // At least so many there, more than so many here.
      filters: [
        { kind: 'event_count', above: quantity - 1, minutes: Math.min(minutes, COUNT_WINDOW_MINUTES_MAX) },
      ],
      filterMatch: 'all',
      frequencyMinutes: Math.max(FREQUENCY_MINUTES_MIN, Math.min(minutes, COUNT_WINDOW_MINUTES_MAX)),
      receivers: recipients.map(receiverOf),
    },
    isEnabled: true,
    snoozedUntil: null,
    createdBy: null,
  };
}

function receiverOf(row: ForeignRow): Receiver {
  const kind = textOf(row.recipient_type) ?? 'webhook';
  if (kind === 'email') return { kind: 'owners', otherwise: 'members' };
  // The path of a webhook is a secret.
  const host = URL.parse(String(row.url ?? ''))?.host;
  return { kind: 'destination', service: SERVICES[kind] ?? kind, name: host ?? kind };
}
