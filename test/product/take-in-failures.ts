import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { decodeRecord } from '#ingest/spool-record.ts';
import { digestEnvelope } from '#pipeline/digest-envelope.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { newEventId } from '../contract/sample-events.ts';
import type { Product } from './open-product.ts';

/** Does with the failures of monitors that were told what edge and digest do with them; answers the stored events. */
export async function takeInFailures(product: Product): Promise<readonly DigestedEvent[]> {
  const inbox = join(product.folder, 'spool', 'inbox');
  const files = existsSync(inbox) ? readdirSync(inbox).sort() : [];
  const events = files.flatMap((file) => eventsOf(readFileSync(join(inbox, file))));
  if (events.length > 0) {
    await product.stores.events.insertEvents(events, randomBytes(8).toString('hex'));
    await product.assignNext(events, { nowMs: product.clock.nowMs });
  }
  for (const file of files) rmSync(join(inbox, file));
  return events;
}

function eventsOf(bytes: Buffer): readonly DigestedEvent[] {
  const { items, ...record } = decodeRecord(bytes);
  const raw = items.map((item) => ({
    ...item,
    contentType: null,
    filename: null,
    attachmentType: null,
    itemCount: null,
    platform: null,
    blob: null,
    itemId: newEventId(),
    crash: null,
  }));
  const context = {
    ...record,
    envelopeEventId: record.eventId,
    rules: compileIngestRules(DEFAULT_INGEST_SETTINGS),
    lookUpGeo: () => null,
  };
  return digestEnvelope(raw, context, () => false).events;
}
