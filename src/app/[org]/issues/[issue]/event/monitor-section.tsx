import { visibleText } from '#lib/visible-text.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import type { SectionEntry } from './event-parts.ts';

/** Why a monitor failed, with a link to it; null for other events. */
export function monitorSection({ monitor }: NormalizedEvent, organizationSlug: string): SectionEntry | null {
  if (!monitor) return null;
  const facts = monitor.facts.map(({ name, value }) => ({
    key: name,
    name,
    value: <bdi>{visibleText(value)}</bdi>,
  }));
  const page = {
    key: 'monitor',
    name: 'Monitor',
    value: (
      <Link
        href={`/${organizationSlug}/${monitor.monitorPath}`}
        className="text-accent underline underline-offset-2"
      >
        View the monitor
      </Link>
    ),
  };
  return {
    id: 'monitor',
    title: 'Failure',
    content: (
      <>
        <p className="mb-3 max-w-[75ch] whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          <bdi>{visibleText(monitor.reason)}</bdi>
        </p>
        <KeyValues rows={[...facts, page]} />
      </>
    ),
  };
}
