import { sql, type Transaction } from 'kysely';
import { HOUR_MS } from '#lib/time.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

/** Adds to the counts of each hour. Everybody writes the rows in one order, so that batches do not deadlock. */
export async function addOutcomes(
  transaction: Transaction<Database>,
  outcomes: readonly OutcomeCount[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const hours = new Map<string, Record<string, unknown> & { quantity: number }>();
  for (const { organizationId, projectId, keyId, at, category, outcome, reason, quantity } of outcomes) {
    const hourMs = Math.floor(at / HOUR_MS) * HOUR_MS;
    const key = JSON.stringify([organizationId, projectId, hourMs, keyId ?? 0, category, outcome, reason]);
    const known = hours.get(key);
    if (known) known.quantity += quantity;
    else {
      hours.set(key, {
        organization_id: organizationId,
        project_id: projectId,
        key_id: keyId ?? 0,
        hour: new Date(hourMs),
        category,
        outcome,
        reason,
        quantity,
      });
    }
  }
  const rows = [...hours].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await sql`
    INSERT INTO outcomes_hourly (organization_id, project_id, key_id, hour, category, outcome, reason, quantity)
    SELECT organization_id, project_id, key_id, hour, category, outcome, reason, quantity
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS row_of (organization_id bigint, project_id bigint,
      key_id bigint, hour timestamptz, category text, outcome text, reason text, quantity bigint)
    ON CONFLICT (organization_id, project_id, hour, key_id, category, outcome, reason)
    DO UPDATE SET quantity = outcomes_hourly.quantity + excluded.quantity`.execute(transaction);
}
