import { Hash, type LucideIcon, Megaphone, MessageSquare, Send, Siren, Webhook } from 'lucide-react';
import type { DestinationKind } from '#product/destinations/destination-kinds.ts';

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
