import { inflateSync } from 'node:zlib';
import { parseBoundedJson } from '#lib/bounded-json.ts';

/** Of a recording, unpacked: a larger one is stored without a look at its clicks. */
const SEARCHED_BYTES_MAX = 10 * 1024 * 1024;

export type ClickCounts = { deadClicks: number; rageClicks: number };

const NONE: ClickCounts = { deadClicks: 0, rageClicks: 0 };
const ARRAY_START = '['.charCodeAt(0);
/** Only a recording that has one of them is parsed. */
const SLOW_CLICK = 'ui.slowClickDetected';
const MULTI_CLICK = 'ui.multiClick';

/**
 * Dead and rage clicks of the recording of a segment, as it was sent: a line of JSON, then JSON, compressed with zlib or
 * not. None for one that cannot be read, or whose content is too large. Never throws.
 */
export function countClicks(recording: Uint8Array): ClickCounts {
  try {
    const content = unpack(recording);
    if (!content.includes(SLOW_CLICK) && !content.includes(MULTI_CLICK)) return NONE;
    const events = parseBoundedJson(content.toString('utf8'));
    if (!Array.isArray(events)) return NONE;
    const kinds = (events as readonly unknown[]).map(clickKindOf);
    return {
      deadClicks: kinds.filter((kind) => kind?.isDead).length,
      rageClicks: kinds.filter((kind) => kind?.isRage).length,
    };
  } catch {
    return NONE;
  }
}

function unpack(recording: Uint8Array): Buffer {
  const start = recording.indexOf(0x0a) + 1;
  const body = Buffer.from(recording.buffer, recording.byteOffset + start, recording.byteLength - start);
  if (body[0] !== ARRAY_START) return inflateSync(body, { maxOutputLength: SEARCHED_BYTES_MAX });
  return body.length > SEARCHED_BYTES_MAX ? Buffer.alloc(0) : body;
}

/** A click must change nothing for as long to be dead, in milliseconds. */
const DEAD_MS_MIN = 7_000;
const RAGE_CLICKS_MIN = 5;
const CLICKED_TAGS: ReadonlySet<unknown> = new Set(['a', 'button', 'input']);

/**
 * Whether an event is a dead click (on a link, a button or an input, and nothing changed for 7 s) or a rage click (such
 * a click, or any that changed something, five times in a row); null for every other event.
 * Source: sentry/replays/usecases/ingest/event_parser.py and static/app/utils/replays/types.tsx in getsentry/sentry.
 */
export function clickKindOf(event: unknown): { isDead: boolean; isRage: boolean } | null {
  const data = fieldsOf(fieldsOf(event)?.data);
  const payload = data?.tag === 'breadcrumb' ? fieldsOf(data.payload) : null;
  const click = fieldsOf(payload?.data);
  if (!payload || !click) return null;
  const isRepeated = Number(click.clickCount ?? click.clickcount) >= RAGE_CLICKS_MIN;
  if (payload.category === MULTI_CLICK) return { isDead: false, isRage: isRepeated };
  const isDead =
    payload.category === SLOW_CLICK &&
    click.endReason === 'timeout' &&
    Number(click.timeAfterClickMs ?? click.timeafterclickms) >= DEAD_MS_MIN &&
    CLICKED_TAGS.has(String(fieldsOf(click.node)?.tagName).toLowerCase());
  return isDead ? { isDead, isRage: isRepeated } : null;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
