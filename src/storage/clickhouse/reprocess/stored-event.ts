import type { DigestedEvent, EventMetadata } from '#protocol/event.ts';
import { STORED_COLUMNS, type StoredRow, toStored } from '../event-row.ts';

/** As a block is read by: see readBlocks. */
export const DIGESTED_COLUMNS = `${STORED_COLUMNS}, organization_id, key_id, grouping_hash AS hash`;

export type DigestedRow = StoredRow & { organization_id: number; key_id: number; hash: string };

/** The event as digest had stored it. */
export function toDigested(row: DigestedRow): DigestedEvent {
  const { isBodySampled, groupingHash, ...event } = toStored(row);
  return {
    ...event,
    organizationId: row.organization_id,
    keyId: row.key_id,
    type: row.type,
    metadata: JSON.parse(row.metadata) as EventMetadata,
    groupingHash,
    groupingHashes: [groupingHash],
    logger: row.logger || null,
    dist: row.dist || null,
    traceId: row.trace_id || null,
    sdk: { name: row.sdk_name, version: row.sdk_version },
    hasBody: !isBodySampled,
  };
}
