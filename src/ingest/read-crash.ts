import { bytesAsSource } from '#pipeline/crash-reports/byte-source.ts';
import type { CrashFacts } from '#pipeline/crash-reports/crash-facts.ts';
import { readMinidump } from '#pipeline/crash-reports/read-minidump.ts';
import type { IngestRules } from '#pipeline/ingest-rules.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import { blobAsSource } from './blob-source.ts';
import { readUnreal } from './read-unreal.ts';
import type { IngestRecord, RecordItem } from './spool-record.ts';

/** What a minidump or an Unreal report says; null for every other item. Throws what the store throws. */
export async function readCrash(
  blobs: BlobStore,
  item: RecordItem,
  record: IngestRecord,
  itemId: string,
  rules: IngestRules,
): Promise<CrashFacts | null> {
  if (item.type === 'unreal_report') return readUnreal(blobs, item, record, itemId, rules);
  if (item.type !== 'attachment' || item.facts?.attachmentType !== 'event.minidump') return null;
  const { blob } = item.facts;
  const source = blob ? await blobAsSource(blobs, blob.key) : bytesAsSource(item.payload);
  return source === null ? { kind: 'unreadable', reason: 'Its content is gone' } : readMinidump(source);
}
