import { deflateSync } from 'node:zlib';
import { buildEnvelope } from './envelope.ts';

type Fields = Readonly<Record<string, unknown>>;

let nextId = 1_000;

/** An element as rrweb serializes it. */
export const element = (tagName: string, attributes: Fields = {}, ...childNodes: Fields[]): Fields => ({
  type: 2,
  id: nextId++,
  tagName,
  attributes,
  childNodes,
});
export const svgElement = (tagName: string, attributes: Fields = {}, ...childNodes: Fields[]): Fields => ({
  ...element(tagName, attributes, ...childNodes),
  isSVG: true,
});
export const textNode = (textContent: string, isStyle = false): Fields => ({
  type: 3,
  id: nextId++,
  textContent,
  ...(isStyle ? { isStyle } : {}),
});

/** A page: what stands in its head, and in its body. */
export const snapshot = (timestamp: number, head: readonly Fields[], body: readonly Fields[]): Fields => ({
  type: 2,
  timestamp,
  data: {
    initialOffset: { left: 0, top: 0 },
    node: {
      type: 0,
      id: 1,
      childNodes: [
        { type: 1, id: 2, name: 'html', publicId: '', systemId: '' },
        element('html', {}, element('head', {}, ...head), element('body', {}, ...body)),
      ],
    },
  },
});

export const windowSize = (timestamp: number): Fields => ({
  type: 4,
  timestamp,
  data: { href: 'https://shop.example/', width: 1_200, height: 750 },
});

export const mouseMove = (timestamp: number, x: number, y: number): Fields => ({
  type: 3,
  timestamp,
  data: { source: 1, positions: [{ x, y, id: 1, timeOffset: 0 }] },
});

export const breadcrumb = (timestamp: number, payload: Fields): Fields => ({
  type: 5,
  timestamp,
  data: { tag: 'breadcrumb', payload: { timestamp: timestamp / 1_000, type: 'default', ...payload } },
});

/** A click on a button after which nothing changed, as often as it was repeated. */
export const deadClick = (timestamp: number, clickCount: number): Fields =>
  breadcrumb(timestamp, {
    category: 'ui.slowClickDetected',
    message: 'body > button#broken',
    data: {
      node: { tagName: 'button' },
      endReason: 'timeout',
      timeAfterClickMs: 7_000,
      clickCount,
    },
  });

export const request = (timestamp: number, url: string, statusCode: number): Fields => ({
  type: 5,
  timestamp,
  data: {
    tag: 'performanceSpan',
    payload: {
      op: 'resource.fetch',
      description: url,
      startTimestamp: timestamp / 1_000,
      endTimestamp: timestamp / 1_000 + 0.25,
      data: { method: 'POST', statusCode, response: { size: 1_234 } },
    },
  },
});

/** The recording of a segment as SDKs send it. */
export const packRecording = (segmentId: number, events: readonly Fields[]): Buffer =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify({ segment_id: segmentId })}\n`),
    deflateSync(JSON.stringify(events)),
  ]);

/** An envelope with one segment of a replay. `event` is added to what every SDK says of it. */
export function replayEnvelope(input: {
  replayId: string;
  segmentId: number;
  startedAt: number;
  endedAt: number;
  events: readonly Fields[];
  event?: Fields;
}): Buffer {
  const { replayId, segmentId, startedAt, endedAt, events, event = {} } = input;
  const header = { event_id: replayId, sent_at: new Date().toISOString() };
  return buildEnvelope(header, [
    {
      type: 'replay_event',
      payload: JSON.stringify({
        event_id: replayId,
        replay_id: replayId,
        type: 'replay_event',
        replay_type: 'session',
        segment_id: segmentId,
        timestamp: endedAt / 1_000,
        replay_start_timestamp: startedAt / 1_000,
        urls: ['https://shop.example/cart'],
        error_ids: [],
        trace_ids: [],
        platform: 'javascript',
        ...event,
      }),
    },
    { type: 'replay_recording', payload: packRecording(segmentId, events) },
  ]);
}
