import { Hash, type LucideIcon, Megaphone, MessageSquare, Send, Siren, Webhook } from 'lucide-react';
import {
  DESTINATION_KINDS,
  DESTINATION_KINDS_FIELDS,
  type DestinationKind,
} from '#product/destinations/destination-kinds.ts';
import { Link } from '#ui/navigation/link.tsx';

/** What kind of destination it is, as a shape beside its name. */
export function KindMark({ kind }: { kind: DestinationKind }) {
  const Icon = ICONS[kind];
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-md bg-surface-pressed text-text-muted [&_svg]:size-4"
    >
      <Icon />
    </span>
  );
}

const ICONS: Readonly<Record<DestinationKind, LucideIcon>> = {
  webhook: Webhook,
  slack: Hash,
  discord: MessageSquare,
  msteams: MessageSquare,
  pagerduty: Siren,
  telegram: Send,
  mattermost: MessageSquare,
  google_chat: MessageSquare,
  ntfy: Megaphone,
};

/** What messages can go to: each leads to its form. */
export function KindChoices({ organizationSlug }: { organizationSlug: string }) {
  return (
    <ul aria-label="Destination types" className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
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
