import { type ContextKind, type Facts, KINDS } from './context-kinds.ts';

/** A context as the page shows it. */
export type ContextView = {
  name: string;
  /** What kind it is, in words; its name when the kind is not known. */
  title: string;
  /** What people look for first, for example `iPhone 15 (iPhone15,2)`; empty when nothing of it is known. */
  headline: string;
  /** What is known of the kind first and in its order, then the rest as sent. */
  facts: readonly ContextFact[];
};

export type ContextFact = {
  /** As sent: where the value and its marks stand. */
  key: string;
  label: string;
  /** For people; null when the value is shown as it is. */
  text: string | null;
  value: unknown;
};

/** `meta` fields of SDKs say nothing to people. */
const HIDDEN: ReadonlySet<string> = new Set(['type', 'title', '']);

/** What SDKs send where they could not tell. */
const UNKNOWN: Readonly<Record<string, unknown>> = { processor_frequency: 0, status: 'unknown' };

/** Contexts of an event, those that tell most first. */
export function contextViews(contexts: Readonly<Record<string, Facts>>): ContextView[] {
  return Object.entries(contexts)
    .map(([name, facts]) => contextView(name, facts))
    .sort((a, b) => rank(a.name) - rank(b.name));
}

function contextView(name: string, facts: Facts): ContextView {
  const kind = kindOf(name, facts);
  const known = Object.entries(kind?.fields ?? {}).flatMap(([key, [label, write]]): ContextFact[] =>
    facts[key] === undefined || facts[key] === null || UNKNOWN[key] === facts[key]
      ? []
      : [{ key, label, text: write?.(facts[key]) ?? null, value: facts[key] }],
  );
  const rest = Object.entries(facts)
    .filter(([key]) => !HIDDEN.has(key) && !(kind && Object.hasOwn(kind.fields, key)))
    .map(([key, value]): ContextFact => ({ key, label: key, text: null, value }));
  return {
    name,
    title: kind ? kind.title : name,
    headline: kind?.headline?.(facts) ?? '',
    facts: [...known, ...rest],
  };
}

/** By its `type`, else by its name: several contexts may be of one kind, as `browser` and `client_browser`. */
function kindOf(name: string, facts: Facts): ContextKind | undefined {
  const type = facts.type;
  return KINDS.get(typeof type === 'string' && type !== 'default' ? type : name) ?? KINDS.get(name);
}

const rank = (name: string): number => {
  const place = [...KINDS.keys()].indexOf(name);
  return place < 0 ? KINDS.size : place;
};
