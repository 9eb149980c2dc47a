import type { z } from 'zod';
import type { DELIVERY, DESTINATION } from '#app/api/0/schemas/destination.ts';
import type { DeliveryRow } from '#product/deliveries/deliveries.ts';
import type { Destination } from '#product/destinations/destination-store.ts';

export const serializeDestination = (destination: Destination): z.infer<typeof DESTINATION> => ({
  id: String(destination.id),
  kind: destination.kind,
  name: destination.name,
  config: { ...destination.config },
  createdBy: destination.createdBy,
  dateCreated: iso(destination.createdAt),
  lastSent: isoOrNull(destination.lastSentAt),
  failingSince: isoOrNull(destination.failingSince),
  lastError: destination.lastError,
});

export const serializeDelivery = (delivery: DeliveryRow): z.infer<typeof DELIVERY> => {
  const { receiver, userName } = delivery;
  return {
    id: delivery.id,
    kind: delivery.kind,
    state: delivery.state,
    summary: delivery.summary,
    destinationId: receiver.kind === 'destination' ? String(receiver.destinationId) : null,
    user: receiver.kind === 'user' ? { id: receiver.userId, name: userName ?? '' } : null,
    firings: delivery.firingsTotal,
    attempts: delivery.attempts,
    lastError: delivery.lastError,
    lastStatus: delivery.lastStatus,
    dateCreated: iso(delivery.createdAt),
    dateDue: iso(delivery.dueAt),
    dateDone: isoOrNull(delivery.doneAt),
  };
};

const iso = (atMs: number): string => new Date(atMs).toISOString();
const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));
