import type { PlayableEvent } from '#app/replay-frame/frame-messages.ts';
import { sanitizeCss } from './sanitize-css.ts';
import {
  type Budget,
  isFields,
  newBudget,
  renewBudget,
  sanitizeAttributes,
  sanitizeNode,
  sanitizeStyle,
} from './sanitize-node.ts';

/** Changes of one event that are played. */
const CHANGES_PER_EVENT_MAX = 20_000;

/** Types of rrweb's events. */
const DOM_CONTENT_LOADED = 0;
const LOAD = 1;
const FULL_SNAPSHOT = 2;
const INCREMENTAL = 3;
const META = 4;

type Fields = Readonly<Record<string, unknown>>;

/**
 * An event of a recording as the player may have it; null for what is not played, or is no such event. Whoever knows a
 * DSN can send any recording, so nothing is passed on that is not known to be harmless. The budget is that of the recording,
 * event after event.
 */
export function sanitizeEvent(event: unknown, budget: Budget = newBudget()): PlayableEvent | null {
  if (!isFields(event) || typeof event.timestamp !== 'number' || !Number.isFinite(event.timestamp))
    return null;
  const { type, timestamp } = event;
  const sent = isFields(event.data) ? event.data : {};
  renewBudget(budget, type === FULL_SNAPSHOT);
  switch (type) {
    case DOM_CONTENT_LOADED:
    case LOAD:
      return { type, timestamp, data: {} };
    case META:
      return isSize(sent.width) && isSize(sent.height)
        ? { type, timestamp, data: { href: '', width: sent.width, height: sent.height } }
        : null;
    case FULL_SNAPSHOT: {
      const node = sanitizeNode(sent.node, budget);
      return node && { type, timestamp, data: { node, initialOffset: offsetOf(sent.initialOffset) } };
    }
    case INCREMENTAL: {
      const data = sanitizeChange(sent, budget);
      return data && { type, timestamp, data };
    }
    default:
      return null;
  }
}

/** Widest and highest recorded window, in pixels. */
const SIZE_PX_MAX = 20_000;
const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= SIZE_PX_MAX;

const offsetOf = (value: unknown): Fields => {
  const offset = isFields(value) ? value : {};
  return { top: Number(offset.top) || 0, left: Number(offset.left) || 0 };
};

/** By rrweb's sources of change; canvases, fonts, media, custom elements and unknown sources are not played. */
const CHANGES: Readonly<Record<number, (data: Fields, budget: Budget) => Fields | null>> = {
  0: sanitizeMutation,
  1: sanitizeMoves,
  2: (data) => numbersOf(data, ['type', 'id', 'x', 'y', 'pointerType']),
  3: (data) => numbersOf(data, ['id', 'x', 'y']),
  4: (data) => (isSize(data.width) && isSize(data.height) ? numbersOf(data, ['width', 'height']) : null),
  5: (data) => ({
    ...numbersOf(data, ['id']),
    text: String(data.text ?? ''),
    isChecked: data.isChecked === true,
  }),
  6: sanitizeMoves,
  8: sanitizeRules,
  12: sanitizeMoves,
  13: sanitizeDeclaration,
  14: (data) => ({
    ranges: listOf(data.ranges).map((range) =>
      numbersOf(range, ['start', 'startOffset', 'end', 'endOffset']),
    ),
  }),
  15: (data) => ({
    ...numbersOf(data, ['id']),
    styleIds: Array.isArray(data.styleIds) ? data.styleIds.filter((id) => typeof id === 'number') : [],
    styles: listOf(data.styles).map((sheet) => ({
      ...numbersOf(sheet, ['styleId']),
      rules: listOf(sheet.rules).map(ruleOf),
    })),
  }),
};

function sanitizeChange(data: Fields, budget: Budget): Fields | null {
  const sanitize = typeof data.source === 'number' ? CHANGES[data.source] : undefined;
  const kept = sanitize?.(data, budget) ?? null;
  return kept && { ...kept, source: data.source };
}

function sanitizeMutation(data: Fields, budget: Budget): Fields {
  if (CHANGED.some((name) => isOverBound(data[name]))) budget.isCut = true;
  return {
    removes: listOf(data.removes).map((each) => ({
      ...numbersOf(each, ['parentId', 'id']),
      ...(each.isShadow === true ? { isShadow: true } : {}),
    })),
    adds: listOf(data.adds).flatMap((each) => {
      const node = sanitizeNode(each.node, budget);
      return node ? [{ ...idsOf(each, ['parentId', 'nextId', 'previousId']), node }] : [];
    }),
    // Text could be that of a style sheet: nothing else is read from text.
    texts: listOf(data.texts).map((each) => ({
      ...numbersOf(each, ['id']),
      value: typeof each.value === 'string' ? sanitizeCss(each.value) : '',
    })),
    attributes: listOf(data.attributes).map((each) => ({
      ...numbersOf(each, ['id']),
      attributes: sanitizeAttributes('', isFields(each.attributes) ? each.attributes : {}),
    })),
    ...(data.isAttachIframe === true ? { isAttachIframe: true } : {}),
  };
}

function sanitizeMoves(data: Fields): Fields {
  return { positions: listOf(data.positions).map((each) => numbersOf(each, ['x', 'y', 'id', 'timeOffset'])) };
}

function sanitizeRules(data: Fields): Fields {
  return {
    ...numbersOf(data, ['id', 'styleId']),
    ...(Array.isArray(data.adds) ? { adds: listOf(data.adds).map(ruleOf) } : {}),
    ...(Array.isArray(data.removes)
      ? { removes: listOf(data.removes).map((each) => ({ index: indexOf(each.index) })) }
      : {}),
    ...(typeof data.replace === 'string' ? { replace: sanitizeCss(data.replace) } : {}),
    ...(typeof data.replaceSync === 'string' ? { replaceSync: sanitizeCss(data.replaceSync) } : {}),
  };
}

const ruleOf = (each: Fields): Fields => ({
  rule: sanitizeCss(String(each.rule ?? '')),
  index: indexOf(each.index),
});

/** A place in a style sheet, which may be nested. */
function indexOf(index: unknown): number | number[] | undefined {
  if (Array.isArray(index)) return index.filter((each): each is number => typeof each === 'number');
  return typeof index === 'number' ? index : undefined;
}

function sanitizeDeclaration(data: Fields): Fields {
  const { set, remove } = data;
  const base = { ...numbersOf(data, ['id', 'styleId']), index: indexOf(data.index) };
  if (isFields(set)) {
    const { property } = set;
    const safe = sanitizeStyle({ [String(property)]: [String(set.value), set.priority] });
    const [value, priority] = Object.values(safe)[0] as [string, string];
    return { ...base, set: { property: String(property), value, priority } };
  }
  return isFields(remove) ? { ...base, remove: { property: String(remove.property) } } : base;
}

/** The lists of a mutation. */
const CHANGED = ['removes', 'adds', 'texts', 'attributes'] as const;

const isOverBound = (value: unknown): boolean => Array.isArray(value) && value.length > CHANGES_PER_EVENT_MAX;

const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.slice(0, CHANGES_PER_EVENT_MAX).filter(isFields) : [];

function numbersOf(data: Fields, names: readonly string[]): Fields {
  const kept: Record<string, number> = {};
  for (const name of names) {
    const value = data[name];
    if (typeof value === 'number') kept[name] = value;
  }
  return kept;
}

/** Ids of nodes, of which null means none. */
const idsOf = (data: Fields, names: readonly string[]): Fields => ({
  ...Object.fromEntries(names.filter((name) => data[name] === null).map((name) => [name, null])),
  ...numbersOf(data, names),
});
