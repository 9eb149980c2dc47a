import { marksOf, metaAt, ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { MarkedValue } from '#app/[org]/issues/[issue]/event/values/data-value.tsx';
import { formatExact } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { LateText } from '../values/late-text.tsx';
import { below, type ValuePlace, valueHref } from '../values/value-place.ts';
import { type ContextKind, type Facts, KINDS } from './context-kinds.ts';

/** Contexts, and facts of one context, that stand in the page. */
const CONTEXTS_MAX = 40;
const FACTS_MAX = 60;

/** What was known about the world around the event; `meta` is the contexts' branch of the event's `_meta`. */
export function ContextList({
  contexts,
  place,
  meta,
}: {
  contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  place: ValuePlace;
  meta: unknown;
}) {
  const views = contextViews(contexts);
  return (
    <div className="grid items-start gap-x-8 gap-y-5 xl:grid-cols-2">
      {views.slice(0, CONTEXTS_MAX).map(({ name, title, headline, facts }) => (
        <div key={name} className="min-w-0">
          <h3 className="break-anything mb-1 flex flex-wrap items-baseline gap-x-2 font-medium text-sm">
            <bdi>{title}</bdi>
            {headline ? <bdi className="font-normal text-text-muted text-xs">{headline}</bdi> : null}
          </h3>
          {facts.length > 0 ? (
            <>
              <KeyValues
                rows={facts.slice(0, FACTS_MAX).map((fact) => ({
                  key: fact.key,
                  name: fact.label,
                  value: (
                    <Fact
                      fact={fact}
                      place={below(place, name, fact.key)}
                      meta={metaAt(meta, name, fact.key)}
                    />
                  ),
                }))}
              />
              {facts.length > FACTS_MAX ? (
                <LateText href={valueHref(below(place, name))} label="Show all as JSON" />
              ) : null}
            </>
          ) : (
            <>
              <p className="text-sm text-text-faint">empty</p>
              <ScrubBadges marks={marksOf(metaAt(meta, name))} />
            </>
          )}
        </div>
      ))}
      {views.length > CONTEXTS_MAX ? (
        <LateText href={valueHref(place)} label={`Show all ${formatExact(views.length)} contexts as JSON`} />
      ) : null}
    </div>
  );
}

function Fact({ fact, place, meta }: { fact: ContextFact; place: ValuePlace; meta: unknown }) {
  return <MarkedValue value={fact.text ?? fact.value} place={place} meta={meta} />;
}

/** A context as the page shows it. */
type ContextView = {
  name: string;
  /** What kind it is, in words; its name when the kind is not known. */
  title: string;
  /** What people look for first, for example `iPhone 15 (iPhone15,2)`; empty when nothing of it is known. */
  headline: string;
  /** What is known of the kind first and in its order, then the rest as sent. */
  facts: readonly ContextFact[];
};

type ContextFact = {
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
