import { DESTINATION_KINDS, DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import { Link } from '#ui/navigation/link.tsx';
import { KindMark } from './kind-mark.tsx';

/** What messages can go to: each leads to its form. */
export function KindChoices({ organizationSlug }: { organizationSlug: string }) {
  return (
    <ul aria-label="Kinds of destinations" className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
      {DESTINATION_KINDS.map((kind) => (
        <li key={kind}>
          <Link
            href={`/${organizationSlug}/settings/destinations/new?kind=${kind}`}
            className="flex h-full items-center gap-3 rounded-md border bg-surface px-3 py-2.5 text-sm text-text no-underline transition-colors hover:border-border-strong hover:bg-surface-hover"
          >
            <KindMark kind={kind} />
            <span className="font-medium">{DESTINATION_KINDS_FIELDS[kind].name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
