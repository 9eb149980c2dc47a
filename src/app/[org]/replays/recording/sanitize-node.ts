import { sanitizeCss } from './sanitize-css.ts';

/** Elements of one event that are rebuilt; more would block the page for seconds. */
const NODES_PER_EVENT_MAX = 50_000;
/** Elements that are rebuilt from one picture of the whole page to the next: the browser has them all at once. */
const NODES_PER_PAGE_MAX = 250_000;
/** How deep elements are nested; browsers stop at 512 when they parse. */
const NODE_DEPTH_MAX = 512;
/** Longest attribute value, but for pictures. */
const VALUE_CHARACTERS_MAX = 100_000;
/** Longest picture within an attribute. */
const PICTURE_CHARACTERS_MAX = 4_000_000;

type Fields = Readonly<Record<string, unknown>>;
/** What may still be rebuilt: of an event, and of the page. `isCut` once something was left out. */
export type Budget = { nodes: number; pageNodes: number; isCut: boolean };
export const newBudget = (): Budget => ({
  nodes: NODES_PER_EVENT_MAX,
  pageNodes: NODES_PER_PAGE_MAX,
  isCut: false,
});

/** Before each event; a picture of the whole page takes the place of all before. */
export function renewBudget(budget: Budget, isWholePage: boolean): void {
  budget.nodes = NODES_PER_EVENT_MAX;
  if (isWholePage) budget.pageNodes = NODES_PER_PAGE_MAX;
}

/** Types of rrweb's serialized nodes. */
const DOCUMENT = 0;
const DOCTYPE = 1;
const ELEMENT = 2;
const TEXT = 3;
const CDATA = 4;
const COMMENT = 5;

/** Would run or load something, or change what everything else means: an empty element stands for them. */
const REMOVED = new Set(
  'script noscript base meta link object embed applet param portal frame frameset template slot-script'.split(
    ' ',
  ),
);
/** A box of the same size stands for them. */
const MEDIA = new Set(['video', 'audio', 'object', 'embed', 'applet', 'canvas', 'frame', 'portal']);
/** Attributes that name what is loaded, opened or sent. */
const ADDRESSES = new Set(
  'src href xlink:href srcset poster data action formaction ping background cite classid codebase archive manifest longdesc usemap profile imagesrcset lowsrc dynsrc'.split(
    ' ',
  ),
);
/** Attributes that change how the page behaves. */
const BEHAVIOUR = new Set(
  'srcdoc target nonce integrity http-equiv autofocus autoplay sandbox allow allowfullscreen is download name-target contenteditable popover popovertarget command commandfor accesskey form srclang preload'.split(
    ' ',
  ),
);
/** What rrweb recorded besides attributes. */
const RECORDED = new Set(['rr_width', 'rr_height', 'rr_scrollleft', 'rr_scrolltop', 'rr_dataurl']);
/** SMIL could set an attribute after it was looked at. */
const ANIMATIONS = new Set(['animate', 'set', 'animatemotion', 'animatetransform']);

const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)[;,]/i;
const SCRIPT_SCHEME = /^(?:javascript|vbscript|livescript|data|blob|file|about|view-source):/i;
const NAME = /^[a-z_][\w:.-]{0,99}$/i;

/**
 * A serialized node that can be rebuilt without running or loading anything; null for what is none. Its id stays, and
 * so do the ids below it, which later events refer to.
 */
export function sanitizeNode(node: unknown, budget: Budget, depth = 0): Fields | null {
  if (!isFields(node) || typeof node.id !== 'number') return null;
  if (budget.nodes <= 0 || budget.pageNodes <= 0 || depth > NODE_DEPTH_MAX) {
    budget.isCut = true;
    return null;
  }
  budget.nodes--;
  budget.pageNodes--;
  const base = { id: node.id, ...(typeof node.rootId === 'number' ? { rootId: node.rootId } : {}) };
  const shadow = node.isShadow === true ? { isShadow: true } : {};
  switch (node.type) {
    case DOCUMENT:
      return {
        ...base,
        type: DOCUMENT,
        childNodes: childrenOf(node, budget, depth),
        ...(node.compatMode === 'BackCompat' ? { compatMode: 'BackCompat' } : {}),
      };
    case DOCTYPE:
      return { ...base, type: DOCTYPE, name: 'html', publicId: '', systemId: '' };
    case ELEMENT:
      return { ...base, ...shadow, ...sanitizeElement(node, budget, depth) };
    case TEXT: {
      const text = String(node.textContent ?? '');
      return node.isStyle === true
        ? { ...base, ...shadow, type: TEXT, isStyle: true, textContent: sanitizeCss(text) }
        : { ...base, ...shadow, type: TEXT, textContent: text };
    }
    case CDATA:
    case COMMENT:
      return { ...base, ...shadow, type: COMMENT, textContent: '' };
    default:
      return null;
  }
}

function sanitizeElement(node: Fields, budget: Budget, depth: number): Fields {
  const sent = typeof node.tagName === 'string' ? node.tagName : '';
  const tag = sent.toLowerCase();
  const attributes = isFields(node.attributes) ? node.attributes : {};
  const isSheet = tag === 'link' && typeof attributes._cssText === 'string';
  const isSvg = node.isSVG === true;
  if (MEDIA.has(tag)) return placeholderOf(tag, attributes, childrenOf(node, budget, depth));
  if ((REMOVED.has(tag) && !isSheet) || ANIMATIONS.has(tag) || !/^[a-z][\w:.-]{0,99}$/i.test(sent)) {
    // Its text was code, or fell back from something that is not shown.
    const children = tag === 'script' ? [] : childrenOf(node, budget, depth);
    return {
      type: ELEMENT,
      tagName: isSvg ? 'g' : 'noscript',
      attributes: {},
      childNodes: children,
      ...svg(isSvg),
    };
  }
  const isStyle = tag === 'style' || isSheet;
  return {
    type: ELEMENT,
    tagName: isSheet ? 'style' : sent,
    attributes: sanitizeAttributes(tag, attributes),
    childNodes: isStyle ? styleTexts(node, budget, depth) : childrenOf(node, budget, depth),
    ...svg(isSvg),
    ...(node.isShadowHost === true && !isSvg ? { isShadowHost: true } : {}),
  };
}

const svg = (isSvg: boolean): Fields => (isSvg ? { isSVG: true } : {});

function placeholderOf(tag: string, attributes: Fields, childNodes: readonly Fields[]): Fields {
  return {
    type: ELEMENT,
    tagName: 'div',
    attributes: { ...sanitizeAttributes(tag, attributes), 'data-replay-placeholder': tag },
    childNodes: tag === 'canvas' ? [] : childNodes.map((child) => ({ ...child, ...HIDDEN_TEXT(child) })),
  };
}

/** What is said to browsers that cannot show media is no part of the picture. */
const HIDDEN_TEXT = (child: Fields): Fields => (child.type === TEXT ? { textContent: '' } : {});

/** Text within `style` is a style sheet, however it is marked. */
function styleTexts(node: Fields, budget: Budget, depth: number): readonly Fields[] {
  return childrenOf(node, budget, depth).map((child) =>
    child.type === TEXT
      ? { ...child, isStyle: true, textContent: sanitizeCss(String(child.textContent)) }
      : child,
  );
}

function childrenOf(node: Fields, budget: Budget, depth: number): Fields[] {
  if (!Array.isArray(node.childNodes)) return [];
  const children: Fields[] = [];
  for (const child of node.childNodes as readonly unknown[]) {
    const kept = sanitizeNode(child, budget, depth + 1);
    if (kept) children.push(kept);
  }
  return children;
}

/** Attributes of an element as they may be set; null stays, since it removes one. */
export function sanitizeAttributes(tag: string, attributes: Fields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const safe = sanitizeAttribute(tag, name.toLowerCase(), value);
    if (safe !== undefined && NAME.test(name)) kept[name] = safe;
  }
  return kept;
}

/** undefined for what is left out. `tag` is empty where it is not known. */
function sanitizeAttribute(tag: string, name: string, value: unknown): unknown {
  if (name.startsWith('on') || BEHAVIOUR.has(name) || name === '__proto__') return undefined;
  // rrweb calls what others are about, which a box in the place of media does not have.
  if (name.startsWith('rr_') && !RECORDED.has(name)) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'number') {
    return ADDRESSES.has(name) && value !== null ? undefined : value;
  }
  if (name === 'style' && isFields(value)) return sanitizeStyle(value);
  if (typeof value !== 'string') return undefined;
  if (name === '_csstext' || name === 'style') return sanitizeCss(value);
  const address = value.replace(/[\s\p{Cc}]+/gu, '');
  const isPicture = PICTURE.test(address) && value.length <= PICTURE_CHARACTERS_MAX;
  if (name === 'rr_dataurl') return isPicture ? value : undefined;
  if (ADDRESSES.has(name)) {
    // Links keep their look, and lead nowhere.
    if (name === 'href' && (tag === 'a' || tag === 'area')) return '#';
    if (name === 'src' || tag === 'image' || tag === 'feimage') return isPicture ? value : undefined;
    return address.startsWith('#') ? value : undefined;
  }
  if (SCRIPT_SCHEME.test(address) && !name.startsWith('data-')) return undefined;
  if (/url\(/i.test(value)) return sanitizeCss(value);
  return value.length <= VALUE_CHARACTERS_MAX ? value : undefined;
}

/** Properties of an inline style that changed: a value, a value with its priority, or false for none. */
export function sanitizeStyle(style: Fields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(style)) {
    if (name === '__proto__') continue;
    if (typeof value === 'string') kept[name] = sanitizeCss(value);
    else if (value === false) kept[name] = false;
    else if (Array.isArray(value)) kept[name] = [sanitizeCss(String(value[0])), String(value[1] ?? '')];
  }
  return kept;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
