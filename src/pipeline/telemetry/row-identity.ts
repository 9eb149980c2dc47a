import { createHash } from 'node:crypto';
import type { TelemetryOrigin } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';

export const originOf = (context: ItemContext): TelemetryOrigin => ({
  organizationId: context.organizationId,
  projectId: context.projectId,
  keyId: context.keyId,
  receivedAt: context.receivedAtMs,
});

/** The same element of the same item has the same id, however often it is digested. */
export const rowIdOf = (itemId: string, index: number): string =>
  createHash('md5').update(`${itemId}:${index}`).digest('hex');
