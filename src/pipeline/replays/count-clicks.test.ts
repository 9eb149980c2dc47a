import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { breadcrumb, deadClick, packRecording } from '../../../test/harness/sample-replay.ts';
import { clickKindOf, countClicks } from './count-clicks.ts';

const slow = (data: Record<string, unknown>) =>
  breadcrumb(1, {
    category: 'ui.slowClickDetected',
    data: { node: { tagName: 'a' }, endReason: 'timeout', timeAfterClickMs: 7_000, ...data },
  });

describe('a click', () => {
  test.each([
    [slow({}), { isDead: true, isRage: false }],
    [slow({ clickCount: 4 }), { isDead: true, isRage: false }],
    [slow({ clickCount: 5 }), { isDead: true, isRage: true }],
    [
      slow({ clickcount: 5, timeAfterClickMs: undefined, timeafterclickms: 7_000 }),
      { isDead: true, isRage: true },
    ],
    [slow({ endReason: 'mutation', clickCount: 9 }), null],
    [slow({ timeAfterClickMs: 6_999 }), null],
    [slow({ node: { tagName: 'div' } }), null],
    [slow({ node: null }), null],
    [breadcrumb(1, { category: 'ui.multiClick', data: { clickCount: 5 } }), { isDead: false, isRage: true }],
    [breadcrumb(1, { category: 'ui.multiClick', data: { clickCount: 3 } }), { isDead: false, isRage: false }],
    [breadcrumb(1, { category: 'ui.click', data: {} }), null],
    [{ type: 5, data: null }, null],
    [null, null],
  ])('%#', (event, kind) => {
    expect(clickKindOf(event)).toEqual(kind);
  });
});

const NONE = { deadClicks: 0, rageClicks: 0 };

test('the clicks of a segment are counted, packed or plain', () => {
  const events = [deadClick(1, 1), deadClick(2, 6), breadcrumb(3, { category: 'ui.click' })];
  const counted = { deadClicks: 2, rageClicks: 1 };
  expect(countClicks(packRecording(0, events))).toEqual(counted);
  expect(countClicks(Buffer.from(`{"segment_id":0}\n${JSON.stringify(events)}`))).toEqual(counted);
});

test.each([
  ['nothing', new Uint8Array()],
  ['no JSON', Buffer.from('{"segment_id":0}\n["ui.multiClick"')],
  ['no zlib', Buffer.from('{"segment_id":0}\nxx')],
  [
    'a bomb',
    Buffer.concat([Buffer.from('{}\n'), deflateSync(Buffer.alloc(20 * 1024 * 1024, 'ui.multiClick '))]),
  ],
])('%s has no clicks', (_, bytes) => {
  expect(countClicks(bytes)).toEqual(NONE);
});
