import { bytesAsSource, type CrashFacts } from '#pipeline/crash-reports/crash-facts.ts';
import { readMinidump, type WithSymbols } from '#pipeline/crash-reports/read-minidump.ts';
import type { IngestRules } from '#pipeline/ingest-rules.ts';
import type { RawItem } from '#pipeline/item.ts';
import { ProfileSkimmer, writeSummary } from '#pipeline/profiles/profile-skimmer.ts';
import {
  type ReplayVideoParts,
  recordingName,
  unpackReplayVideo,
  videoName,
} from '#pipeline/replays/unpack-replay-video.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import { blobAsSource, readHead } from './blob-source.ts';
import type { DigestSymbols } from './digest-symbols.ts';
import { readUnreal } from './read-unreal.ts';
import { scrubBody, VIDEO_BYTES_MAX } from './scrub-body.ts';
import type { IngestRecord, RecordItem } from './spool-record.ts';

/** What has to be read of an item before it can be understood without reading anything. */
export type Ahead = Required<Pick<RawItem, 'crash' | 'head' | 'videoParts'>> &
  Partial<Pick<RawItem, 'payload' | 'blob' | 'bodyFate'>>;

const NOTHING: Ahead = { crash: null, head: null, videoParts: null };
const HEAD_BYTES = 64 * 1024;

/**
 * Scrubs bodies, and reads ahead what lies in blobs and what crash dumps say. Whatever it puts into the blob store is named by the item, so
 * that reading the same item again overwrites it with the same. Throws what the store throws.
 */
export function createReadAhead(
  blobs: BlobStore,
  rules: { find(projectId: number): IngestRules },
  symbols?: Pick<DigestSymbols, 'run'>,
) {
  return async (sent: RecordItem, record: IngestRecord, itemId: string): Promise<Ahead> => {
    const ofProject = rules.find(record.projectId);
    const crash = await readCrash(blobs, sent, record, itemId, {
      rules: ofProject,
      withSymbols: symbols && ((work) => symbols.run(record, work)),
    });
    // What cannot be read as a dump may be a text that was only called one.
    if (crash !== null && crash.kind !== 'unreadable') return { ...NOTHING, crash };
    const { item, bodyFate } = await scrubBody(blobs, sent, ofProject);
    const blob = item.facts?.blob ?? null;
    const head = blob && bodyFate === null ? await readFromBlob(item, blob, record, itemId) : NOTHING;
    return { ...head, crash, payload: item.payload, blob, bodyFate };
  };

  async function readFromBlob(
    item: RecordItem,
    blob: { key: string },
    record: IngestRecord,
    itemId: string,
  ): Promise<Ahead> {
    switch (item.type) {
      case 'replay_recording':
        return { ...NOTHING, head: await readHead(blobs, blob.key, HEAD_BYTES) };
      case 'replay_video':
        return { ...NOTHING, videoParts: await unpackVideo(blobs, blob.key, record, itemId) };
      case 'profile':
      case 'profile_chunk':
      case 'profile_chunk_ui':
        return { ...NOTHING, head: await skimProfile(blobs, blob.key) };
      default:
        return NOTHING;
    }
  }
}

async function unpackVideo(
  blobs: Pick<BlobStore, 'readWhole' | 'put'>,
  key: string,
  { receivedAtMs, projectId }: IngestRecord,
  itemId: string,
): Promise<ReplayVideoParts> {
  const bytes = await blobs.readWhole(key, VIDEO_BYTES_MAX);
  const unpacked = bytes && unpackReplayVideo(bytes);
  if (!unpacked) return { kind: 'unreadable' };
  const store = async (name: string, part: Uint8Array) => {
    const stored = { key: blobKey(receivedAtMs, projectId, name), bytes: part.length };
    await blobs.put(stored.key, part);
    return stored;
  };
  return {
    kind: 'parts',
    // Copies: views would keep the whole video in memory.
    event: Uint8Array.from(unpacked.event),
    recordingHead: Uint8Array.from(unpacked.recording.subarray(0, HEAD_BYTES)),
    recording: await store(recordingName(itemId), unpacked.recording),
    video: await store(videoName(itemId), unpacked.video),
  };
}

async function skimProfile(blobs: Pick<BlobStore, 'read'>, key: string): Promise<Uint8Array> {
  const stream = await blobs.read(key);
  const skimmer = new ProfileSkimmer();
  if (stream) for await (const chunk of stream) skimmer.push(chunk as Buffer);
  return writeSummary(skimmer.end());
}

/** What a minidump or an Unreal report says; null for every other item. Throws what the store throws. */
async function readCrash(
  blobs: BlobStore,
  item: RecordItem,
  record: IngestRecord,
  itemId: string,
  { rules, withSymbols }: { rules: IngestRules; withSymbols: WithSymbols | undefined },
): Promise<CrashFacts | null> {
  if (item.type === 'unreal_report') return readUnreal(blobs, item, record, itemId, { rules, withSymbols });
  if (item.type !== 'attachment' || item.facts?.attachmentType !== 'event.minidump') return null;
  const { blob } = item.facts;
  const source = blob ? await blobAsSource(blobs, blob.key) : bytesAsSource(item.payload);
  return source === null
    ? { kind: 'unreadable', reason: 'The content is no longer stored' }
    : readMinidump(source, withSymbols);
}
