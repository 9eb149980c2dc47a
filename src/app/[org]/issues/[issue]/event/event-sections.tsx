import type { ReactNode } from 'react';
import { CopyFrom } from './copy-from.tsx';
import type { EventParts } from './event-parts.ts';
import type { EventPlace } from './event-place.ts';
import { OpenJson } from './open-json.tsx';
import { ScrollToSection } from './scroll-to-section.tsx';
import { ScrubSummary } from './scrub-summary.tsx';
import { Section } from './section.tsx';
import type { SectionEntry } from './section-entry.ts';
import { SectionIndex } from './section-index.tsx';
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
          <CopyFrom href={`${place.eventHref}/json`} label="Copy the event as JSON">
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
          <Section key={section.id} id={section.id} title={section.title} count={section.count}>
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
