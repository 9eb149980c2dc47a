import type { PlayableEvent, PlayableVideo } from '#app/replay-frame/frame-messages.ts';
import { loadBytes } from '#ui/navigation/load-data.ts';
import { type Inflated, readEvents, readSegments, type SentSegment } from './read-recording.ts';
import { sanitizeEvent } from './sanitize-event.ts';
import { newBudget } from './sanitize-node.ts';
import { ENTRIES_MAX, type Entry, isActivity, readEntry, timeOf } from './timeline.ts';

/** What one segment holds. */
export type LoadedSegment = {
  /** In the order of time. */
  events: readonly PlayableEvent[];
  entries: readonly Entry[];
  /** When somebody did something, in milliseconds since the replay began, in order. */
  activeAt: readonly number[];
  videos: readonly PlayableVideo[];
  /** Whether something of it, or before it, was left out for its size. */
  isCut: boolean;
};

/**
 * Reads a recording as it arrives, segment by segment. `originMs` is the time that the replay began, which the first event
 * overrules when their clocks differ. Throws what the request throws, and an error when it is refused.
 */
export async function* loadRecording(
  url: string,
  signal: AbortSignal,
): AsyncGenerator<LoadedSegment & { originMs: number }> {
  const inflated: Inflated = { bytes: 0 };
  const budget = newBudget();
  const videos = new VideoPairs();
  let originMs: number | null = null;
  let entryCount = 0;
  for await (const segment of readSegments(await loadBytes(url, { signal }))) {
    if (segment.kind === 'video') {
      const found = videos.addContent(segment);
      if (found && originMs !== null) yield { ...NOTHING, videos: [found], originMs };
      continue;
    }
    const sent = await readEvents(segment.content, inflated);
    const events = sent
      .map((event) => sanitizeEvent(event, budget))
      .filter((event) => event !== null)
      .sort((one, other) => one.timestamp - other.timestamp);
    originMs ??= firstTime(sent);
    const isCut = budget.isCut || inflated.isCut === true;
    if (originMs === null) {
      if (isCut) yield { ...NOTHING, isCut, originMs: 0 };
      continue;
    }
    const origin = originMs;
    const entries = sent
      .flatMap((event) => readEntry(event, origin) ?? [])
      .slice(0, ENTRIES_MAX - entryCount);
    entryCount += entries.length;
    yield {
      events,
      entries: entries.sort((one, other) => one.at - other.at),
      activeAt: events.filter(isActivity).map(({ timestamp }) => timestamp - origin),
      videos: videos.addEvents(sent),
      isCut,
      originMs: origin,
    };
    // Frames are drawn and keys answered between two segments.
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const NOTHING = { events: [], entries: [], activeAt: [], videos: [], isCut: false } as const;

/** Of all events of the first segment that has some, in milliseconds since the epoch. */
function firstTime(sent: readonly unknown[]): number | null {
  const times = sent
    .map((event) => timeOf((event as { timestamp?: unknown } | null)?.timestamp))
    .filter((time) => time > 0);
  return times.length === 0 ? null : Math.min(...times);
}

type Moment = { startedAt: number; durationMs: number };

/** Longest video of a segment that is believed. */
const VIDEO_MS_MAX = 60 * 60_000;

/** A video lies beside its recording, which says when it was taken. Either may arrive first. */
class VideoPairs {
  readonly #moments = new Map<number, Moment>();
  readonly #contents = new Map<number, Uint8Array>();

  addContent({ segmentId, content }: SentSegment): PlayableVideo | null {
    this.#contents.set(segmentId, content);
    return this.#pair(segmentId);
  }

  addEvents(sent: readonly unknown[]): readonly PlayableVideo[] {
    const found: PlayableVideo[] = [];
    for (const event of sent as readonly Fields[]) {
      if (event?.data?.tag !== 'video') continue;
      const { segmentId, duration } = event.data.payload ?? {};
      if (typeof segmentId !== 'number' || typeof event.timestamp !== 'number') continue;
      this.#moments.set(segmentId, {
        startedAt: event.timestamp,
        durationMs: Math.min(Math.max(0, Number(duration) || 0), VIDEO_MS_MAX),
      });
      found.push(...[this.#pair(segmentId)].filter((video) => video !== null));
    }
    return found;
  }

  #pair(segmentId: number): PlayableVideo | null {
    const moment = this.#moments.get(segmentId);
    const content = this.#contents.get(segmentId);
    if (!moment || !content) return null;
    this.#moments.delete(segmentId);
    this.#contents.delete(segmentId);
    return { ...moment, bytes: content.buffer as ArrayBuffer };
  }
}

type Fields = {
  timestamp?: unknown;
  data?: { tag?: unknown; payload?: { segmentId?: unknown; duration?: unknown } };
} | null;
