import { describe, expect, test } from 'vitest';
import { hostileRecording } from '../../../../../test/harness/hostile-recording.ts';
import { element, snapshot, svgElement, textNode } from '../../../../../test/harness/sample-replay.ts';
import { sanitizeEvent } from './sanitize-event.ts';
import { newBudget } from './sanitize-node.ts';

type Fields = Record<string, unknown>;

const HOST = 'http://other.example';

/** The elements in the body of a page, as they are played. */
function play(...body: Readonly<Fields>[]): Fields[] {
  const { node } = sanitizeEvent(snapshot(1, [], body))!.data as {
    node: { childNodes: { childNodes: { childNodes: Fields[] }[] }[] };
  };
  return node.childNodes[1]?.childNodes[1]?.childNodes ?? [];
}

describe('a page', () => {
  test('keeps what can be seen', () => {
    const [title] = play(
      element('h1', { class: 'big', style: 'color:red', 'data-x': 'y' }, textNode('Cart')),
    );
    expect(title).toMatchObject({
      tagName: 'h1',
      attributes: { class: 'big', style: 'color:red', 'data-x': 'y' },
      childNodes: [{ type: 3, textContent: 'Cart' }],
    });
  });

  test('holds nothing of another host, no handler and no script, whatever was recorded', () => {
    const played = hostileRecording(HOST, 1_000, 10).map((event) => sanitizeEvent(event));
    const text = JSON.stringify(played);
    expect(text).not.toContain(HOST.slice('http://'.length));
    expect(text).not.toMatch(/"on\w+":|javascript:|wasRun|srcdoc|http-equiv/i);
    expect(text).not.toMatch(/"tagName":"(?:script|object|embed|base|meta|link|video|audio|portal|frame)"/i);
  });

  test('ids stay, also of what goes: later events name them', () => {
    const script = element('script', { src: `${HOST}/a.js` }, textNode('code'));
    const video = element('video', { src: `${HOST}/a.mp4`, class: 'wide' }, element('source'));
    expect(play(script, video)).toMatchObject([
      { id: script.id, tagName: 'noscript', attributes: {}, childNodes: [] },
      {
        id: video.id,
        tagName: 'div',
        attributes: { class: 'wide', 'data-replay-placeholder': 'video' },
        childNodes: [{ tagName: 'source' }],
      },
    ]);
  });

  test('links keep their look, and pictures that are embedded stay', () => {
    const picture = 'data:image/png;base64,AAAA';
    const [link, image, remote, inner, outer] = play(
      element('a', { href: `${HOST}/` }),
      element('img', { src: picture, srcset: `${HOST}/2x.png 2x` }),
      element('img', { src: `${HOST}/a.png`, alt: 'logo' }),
      svgElement('use', { href: '#icon' }),
      svgElement('use', { 'xlink:href': `${HOST}/sprite.svg#icon` }),
    );
    expect(link?.attributes).toEqual({ href: '#' });
    expect(image?.attributes).toEqual({ src: picture });
    expect(remote?.attributes).toEqual({ alt: 'logo' });
    expect(inner?.attributes).toEqual({ href: '#icon' });
    expect(outer?.attributes).toEqual({});
  });

  test('a box in the place of media has the size, and nothing that only media can do', () => {
    const [audio] = play(
      element('audio', { rr_mediaState: 'played', rr_mediaVolume: 1, rr_width: '30px', rr_height: '10px' }),
    );
    expect(audio?.attributes).toEqual({
      rr_width: '30px',
      rr_height: '10px',
      'data-replay-placeholder': 'audio',
    });
  });

  test('style sheets that were recorded become styles', () => {
    const [sheet] = play(element('link', { rel: 'stylesheet', href: '/a.css', _cssText: 'p{color:red}' }));
    expect(sheet).toMatchObject({ tagName: 'style', attributes: { _cssText: 'p{color:red}' } });
  });

  test('ends at a number of elements and at a depth', () => {
    expect(play(...Array.from({ length: 60_000 }, () => element('i'))).length).toBeLessThan(50_000);
    let deep = element('i');
    for (let depth = 0; depth < 1_000; depth++) deep = element('div', {}, deep);
    expect(JSON.stringify(play(deep))).not.toContain('"i"');
  });
});

describe('an event', () => {
  test.each([
    null,
    'text',
    { type: 4, timestamp: Number.NaN, data: {} },
    { type: 4, timestamp: 1, data: { width: 0, height: 5 } },
    { type: 4, timestamp: 1, data: { width: 1e9, height: 5 } },
    { type: 2, timestamp: 1, data: {} },
    { type: 3, timestamp: 1, data: { source: 9, type: 0 } },
    { type: 3, timestamp: 1, data: { source: 10, fontSource: 'url(http://a)' } },
    { type: 3, timestamp: 1, data: { source: 'constructor' } },
    { type: 5, timestamp: 1, data: { tag: 'breadcrumb' } },
    { type: 6, timestamp: 1, data: { plugin: 'x' } },
  ])('that is none, or is not played: %j', (event) => {
    expect(sanitizeEvent(event)).toBeNull();
  });

  test('of moves and inputs passes as it is', () => {
    const data = { source: 1, positions: [{ x: 1, y: 2, id: 3, timeOffset: -4 }] };
    expect(sanitizeEvent({ type: 3, timestamp: 5, data })).toEqual({ type: 3, timestamp: 5, data });
    const input = { source: 5, id: 3, text: 'Ada', isChecked: false };
    expect(sanitizeEvent({ type: 3, timestamp: 5, data: { ...input, more: 1 } })?.data).toEqual(input);
  });

  test('of changes is cleaned like a page', () => {
    const event = sanitizeEvent({
      type: 3,
      timestamp: 1,
      data: {
        source: 0,
        removes: [{ parentId: 1, id: 2 }],
        adds: [{ parentId: 1, nextId: null, node: element('img', { src: `${HOST}/a.png` }) }],
        texts: [{ id: 4, value: `@import url(${HOST}/a.css);p{}` }],
        attributes: [
          { id: 5, attributes: { onclick: 'run()', href: `${HOST}/`, title: 'x', hidden: null } },
          { id: 6, attributes: { style: { color: ['red', 'important'], background: `url(${HOST}/a.png)` } } },
        ],
      },
    });
    expect(event?.data).toMatchObject({
      removes: [{ parentId: 1, id: 2 }],
      adds: [{ parentId: 1, nextId: null, node: { tagName: 'img', attributes: {} } }],
      texts: [{ id: 4, value: 'p{}' }],
      attributes: [
        { id: 5, attributes: { title: 'x', hidden: null } },
        { id: 6, attributes: { style: { color: ['red', 'important'], background: 'url("")' } } },
      ],
    });
  });

  test('of style rules loads nothing', () => {
    const event = sanitizeEvent({
      type: 3,
      timestamp: 1,
      data: { source: 8, id: 3, adds: [{ rule: `p{background:url(${HOST}/a)}`, index: [0, 1] }] },
    });
    expect(event?.data).toEqual({
      source: 8,
      id: 3,
      adds: [{ rule: 'p{background:url("")}', index: [0, 1] }],
    });
  });
});

describe('the elements of a page', () => {
  const added = (count: number) => ({
    type: 3,
    timestamp: 2,
    data: {
      source: 0,
      adds: [
        { parentId: 1, nextId: null, node: element('div', {}, ...Array(count - 1).fill(element('i', {}))) },
      ],
    },
  });

  test('are bounded together, until the next picture of the whole page', () => {
    const budget = newBudget();
    for (let events = 0; events < 5; events++) sanitizeEvent(added(50_000), budget);
    expect(budget).toMatchObject({ pageNodes: 0, isCut: false });
    expect(sanitizeEvent(added(10), budget)?.data).toMatchObject({ adds: [] });
    expect(budget.isCut).toBe(true);
    sanitizeEvent(snapshot(3, [], []), budget);
    expect(sanitizeEvent(added(10), budget)?.data).toMatchObject({ adds: [{ node: { tagName: 'div' } }] });
  });
});
