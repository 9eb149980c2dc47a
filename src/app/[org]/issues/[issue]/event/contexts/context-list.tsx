import { marksOf, metaAt, ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { shownValue } from '#app/[org]/issues/[issue]/event/values/data-value.tsx';
import { formatExact } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { LazyText } from '../values/lazy-text.tsx';
import { below, type ValueLocation, valueHref } from '../values/value-location.ts';
import { type ContextKind, type Facts, KINDS } from './context-kinds.ts';

/** Contexts on the page, and facts of each. */
const CONTEXTS_MAX = 40;
const FACTS_MAX = 60;

/** What was known about the world around the event; `meta` is the contexts' branch of the event's `_meta`. */
export function ContextList({
  contexts,
  place,
  meta,
}: {
  contexts: Readonly<Record<string, Facts>>;
  place: ValueLocation;
  meta: unknown;
}) {
  const views = contextViews(contexts);
  return (
    <div className="contexts">
      {views.slice(0, CONTEXTS_MAX).map(({ name, title, headline, facts }) => (
        <div key={name}>
          <h3>
            <bdi>{title}</bdi>
            {headline ? <bdi>{headline}</bdi> : null}
          </h3>
          {facts.length > 0 ? (
            <>
              <KeyValues
                rows={facts.slice(0, FACTS_MAX).map((fact) => ({
                  key: fact.key,
                  name: fact.label,
                  ...shownValue(
                    fact.text ?? fact.value,
                    below(place, name, fact.key),
                    metaAt(meta, name, fact.key),
                  ),
                }))}
              />
              {facts.length > FACTS_MAX ? (
                <LazyText href={valueHref(below(place, name))} label="Show all as JSON" />
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
        <LazyText href={valueHref(place)} label={`Show all ${formatExact(views.length)} contexts as JSON`} />
      ) : null}
    </div>
  );
}

type ContextFact = {
  /** As sent: the path of the value and its marks. */
  key: string;
  label: string;
  /** For people; null when the value is shown as it is. */
  text: string | null;
  value: unknown;
};

const HIDDEN: ReadonlySet<string> = new Set(['type', 'title', '']);

/** Placeholders that SDKs send for unknown values. */
const UNKNOWN: Readonly<Record<string, unknown>> = { processor_frequency: 0, status: 'unknown' };

/** Contexts of an event as the page shows them, the most useful first. */
export function contextViews(contexts: Readonly<Record<string, Facts>>) {
  return Object.entries(contexts)
    .map(([name, facts]) => contextView(name, facts))
    .sort((a, b) => rank(a.name) - rank(b.name));
}

function contextView(name: string, facts: Facts) {
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
    /** What people look for first, for example `iPhone 15 (iPhone15,2)`; empty when it is unknown. */
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
