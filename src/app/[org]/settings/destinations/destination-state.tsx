import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { Destination } from '#product/destinations/destination-store.ts';
import { Badge } from '#ui/badge.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Whether messages arrive there. */
export function DestinationState({
  destination: { failingSince, lastSentAt, lastError },
  now,
}: {
  destination: Pick<Destination, 'failingSince' | 'lastSentAt' | 'lastError'>;
  now: number;
}) {
  if (failingSince !== null) {
    return (
      <Badge tone="danger" icon={<TriangleAlert aria-hidden />} title={lastError ?? undefined}>
        Failing since <RelativeTime at={failingSince} now={now} />
      </Badge>
    );
  }
  if (lastSentAt === null) return <Badge>No message yet</Badge>;
  return (
    <Badge tone="success" icon={<CircleCheck aria-hidden />}>
      Last message <RelativeTime at={lastSentAt} now={now} />
    </Badge>
  );
}
