import { element, mouseMove, snapshot, svgElement, textNode, windowSize } from './sample-replay.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Sets a mark in every window that it can reach, and asks the other host. */
const codeFor = (host: string): string =>
  `for (const each of [window, parent, top]) try { each.wasRun = true } catch {}; fetch('${host}/fetch')`;

/**
 * What a recording may hold that would run code, load something from `host`, lead away from the page, or break out of its
 * frame, and `nodes` elements besides.
 */
export function hostileRecording(host: string, startedAt: number, nodes: number): Fields[] {
  const target = element('img', { id: 'late' });
  const changed = {
    source: 0,
    removes: [],
    texts: [],
    adds: [{ parentId: target.id, nextId: null, node: element('script', { src: `${host}/late.js` }) }],
    attributes: [
      {
        id: target.id,
        attributes: {
          src: `${host}/late.png`,
          onerror: codeFor(host),
          style: { background: `url(${host}/late-style.png)` },
        },
      },
    ],
  };
  return [
    windowSize(startedAt),
    snapshot(startedAt, headOf(host), [
      element('h1', {}, textNode('Hostile page')),
      target,
      ...bodyOf(host),
      ...Array.from({ length: nodes }, (_, index) => element('div', { class: `c${index}` }, textNode('x'))),
    ]),
    mouseMove(startedAt + 100, 10, 10),
    { type: 3, timestamp: startedAt + 300, data: changed },
    {
      type: 3,
      timestamp: startedAt + 310,
      data: {
        source: 9,
        id: target.id,
        type: 0,
        property: 'drawImage',
        args: [{ rr_type: 'Image', src: `${host}/c.png` }],
      },
    },
    {
      type: 3,
      timestamp: startedAt + 320,
      data: { source: 10, family: 'x', fontSource: `url(${host}/font.woff2)`, buffer: false },
    },
    {
      type: 3,
      timestamp: startedAt + 330,
      data: { source: 8, id: target.id, adds: [{ rule: `@import url(${host}/rule.css)` }] },
    },
    { type: 6, timestamp: startedAt + 340, data: { plugin: 'x', payload: {} } },
    mouseMove(startedAt + 2_000, 20, 20),
  ];
}

function headOf(host: string): Fields[] {
  const code = codeFor(host);
  return [
    element('script', { src: `${host}/head.js` }),
    element('SCRIPT', {}, textNode(code)),
    element('base', { href: `${host}/base/` }),
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${host}/meta` }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: 'default-src *' }),
    element('link', { rel: 'stylesheet', href: `${host}/sheet.css` }),
    element('link', {
      rel: 'stylesheet',
      _cssText: `@import "${host}/import.css"; body{background:url(${host}/body.png)}`,
    }),
    ...['prefetch', 'dns-prefetch', 'preconnect', 'modulepreload', 'icon', 'manifest'].map((rel) =>
      element('link', { rel, href: `${host}/${rel}` }),
    ),
    element('style', { _cssText: `@font-face{font-family:x;src:url(${host}/f.woff2)}*{font-family:x}` }),
    element(
      'style',
      {},
      textNode(
        `@import url(${host}/import2.css);p{background:\\75rl(${host}/escaped.png)}h1{background-image:image-set("${host}/set.png" 1x)}`,
        true,
      ),
    ),
  ];
}

function bodyOf(host: string): Fields[] {
  const code = codeFor(host);
  return [
    element('script', {}, textNode(code)),
    svgElement(
      'svg',
      { onload: code },
      svgElement('script', { href: `${host}/svg.js` }, textNode(code)),
      svgElement('use', { href: `${host}/use.svg#a` }),
      svgElement('image', { href: `${host}/image.png` }),
      svgElement('feImage', { 'xlink:href': `${host}/fe.png` }),
      svgElement('set', { attributeName: 'href', to: `javascript:${code}` }),
      svgElement('foreignObject', {}, element('img', { src: `${host}/foreign.png` })),
    ),
    element('img', { src: `${host}/img.png`, srcset: `${host}/img2.png 2x`, onerror: code }),
    element('img', { src: 'missing', onerror: code, ONLOAD: code }),
    element('img', { rr_dataURL: `${host}/rr.png` }),
    element('a', { href: `javascript:${code}`, ping: `${host}/ping` }, textNode('run')),
    element('a', { href: `${host}/navigate`, target: '_top' }, textNode('leave')),
    element('a', { href: `${host}/popup`, target: '_blank' }, textNode('open')),
    element('p', { style: `background:url("${host}/style.png")` }, textNode('styled')),
    element('iframe', { src: `${host}/frame` }),
    element('iframe', { srcdoc: `<script>${code}</script><img src="${host}/srcdoc.png">` }),
    element('iframe', { src: `javascript:${code}` }),
    element('frame', { src: `${host}/frame2` }),
    element('object', { data: `${host}/object` }),
    element('embed', { src: `${host}/embed` }),
    element('portal', { src: `${host}/portal` }),
    element(
      'form',
      { action: `${host}/form`, method: 'post' },
      element('input', { name: 'a', autofocus: true, onfocus: code }),
      element('button', { formaction: `${host}/form2` }, textNode('Send')),
    ),
    element(
      'video',
      { src: `${host}/video.mp4`, poster: `${host}/poster.png`, autoplay: true, onloadstart: code },
      element('source', { src: `${host}/source.mp4` }),
      element('track', { src: `${host}/track.vtt` }),
    ),
    element('audio', { src: `${host}/audio.mp3`, autoplay: true, rr_mediaState: 'played' }),
    element('input', { type: 'image', src: `${host}/input.png` }),
    element('table', { background: `${host}/table.png` }),
    element('details', { open: true, ontoggle: code }, textNode('more')),
    element('template', {}, element('img', { src: `${host}/template.png` })),
    element('math', { href: `javascript:${code}` }),
    element('canvas', { rr_dataURL: `${host}/canvas.png` }),
  ];
}
