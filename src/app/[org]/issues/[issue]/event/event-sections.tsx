import { ExternalLink as ExternalIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { formatExact } from '#ui/format-number.ts';
import type { EventParts, EventPlace, SectionEntry } from './event-parts.ts';
import { ScrubSummary } from './scrub-marks.tsx';
import { CopyFrom, ScrollToSection } from './section-controls.tsx';
import { sectionsOf } from './sections-of.tsx';
import { SourceProblems } from './source-problem/source-problems.tsx';

/** Sections that show frames: why some have no source stands in the first of them. */
const WITH_FRAMES: readonly string[] = ['stack-trace', 'stack', 'threads'];

/** All that one event holds, one section under the other, with an index that stays in view. */
export function EventSections({
  parts,
  place,
  now,
  sourceActions,
}: {
  parts: EventParts;
  place: EventPlace;
  now: number;
  /** What mends frames without source. */
  sourceActions: ReactNode;
}) {
  const sections: SectionEntry[] = [
    ...sectionsOf(parts, place, now),
    {
      id: 'json',
      title: 'JSON',
      content: (
        <div className="flex flex-wrap items-center gap-2">
          <OpenJson href={`${place.eventHref}/json`} />
          <CopyFrom href={`${place.eventHref}/json`} label="Copy event as JSON">
            Copy JSON
          </CopyFrom>
        </div>
      ),
    },
  ];
  const framesIn = sections.find(({ id }) => WITH_FRAMES.includes(id));
  return (
    <>
      <ScrollToSection />
      <ScrubSummary meta={parts.event.payload._meta} />
      <SectionIndex sections={sections} />
      <div className="space-y-8">
        {sections.map((section) => (
          <Section
            key={section.id}
            id={section.id}
            title={section.title}
            count={section.count}
            actions={section.actions}
          >
            {section === framesIn ? (
              <SourceProblems event={parts.event.payload} place={place} actions={sourceActions} />
            ) : null}
            {section.content}
          </Section>
        ))}
      </div>
    </>
  );
}

/** Opens the event as it is stored, in a page of its own. */
function OpenJson({ href }: { href: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={buttonClass({ size: 'sm' })}>
      <ExternalIcon aria-hidden className="size-3.5" />
      Open event as JSON
    </a>
  );
}

/** Links to the sections of the page; stays under the top bar while one scrolls. */
function SectionIndex({ sections }: { sections: readonly { id: string; title: string; count?: number }[] }) {
  return (
    <nav aria-label="Event sections" className="event-index">
      {sections.map((section) => (
        <a key={section.id} href={`#${section.id}`}>
          {section.title}
        </a>
      ))}
    </nav>
  );
}

/** A part of an event's page; the index leads here. */
function Section({
  id,
  title,
  count,
  actions,
  children,
}: {
  id: string;
  title: string;
  count?: number;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="event-section">
      <div>
        <h2 id={`${id}-title`}>
          {title}
          {count !== undefined ? <span>{formatExact(count)}</span> : null}
        </h2>
        {actions ?? null}
      </div>
      {children}
    </section>
  );
}
