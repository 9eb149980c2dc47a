import { formatExact } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { ScrubBadges } from '../scrub-badges.tsx';
import { marksOf, metaAt } from '../scrub-marks.ts';
import { MarkedValue } from '../values/data-rows.tsx';
import { LateText } from '../values/late-text.tsx';
import { below, type ValuePlace, valueHref } from '../values/value-place.ts';
import { type ContextFact, contextViews } from './context-view.ts';

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
                <LateText href={valueHref(below(place, name))} label="Show all of it as JSON" />
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
