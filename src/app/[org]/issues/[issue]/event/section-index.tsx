/** Links to the sections of the page; stays under the top bar while one scrolls. */
export function SectionIndex({
  sections,
}: {
  sections: readonly { id: string; title: string; count?: number }[];
}) {
  return (
    <nav
      aria-label="Sections of the event"
      className="-mx-4 sticky top-12 z-10 mt-2 mb-5 flex gap-1 overflow-x-auto border-b bg-surface px-4 py-1.5 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      {sections.map((section) => (
        <a
          key={section.id}
          href={`#${section.id}`}
          className="shrink-0 rounded-sm px-2 py-1 text-text-muted text-xs no-underline hover:bg-surface-hover hover:text-text focus-visible:-outline-offset-2"
        >
          {section.title}
        </a>
      ))}
    </nav>
  );
}
