import { sql } from 'kysely';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import type {
  Delivery,
  DeliveryKind,
  DeliveryState,
  DeliverySubject,
  FiringDigest,
} from '#storage/ports/deliveries.ts';

export const DELIVERY = sql`deliveries.id, deliveries.organization_id, deliveries.kind, deliveries.destination_id,
  deliveries.user_id, deliveries.subject, deliveries.state, deliveries.due_at, deliveries.content, deliveries.attempts,
  deliveries.last_error, deliveries.last_status, deliveries.created_at, deliveries.done_at`;

export type DeliveryRow = {
  id: string;
  organization_id: number;
  kind: DeliveryKind;
  destination_id: number | null;
  user_id: string | null;
  /** Empty for none. */
  subject: DeliverySubject | { kind?: undefined };
  state: DeliveryState;
  due_at: Date;
  content: unknown;
  attempts: number;
  last_error: string | null;
  last_status: number | null;
  created_at: Date;
  done_at: Date | null;
};

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  organizationId: row.organization_id,
  kind: row.kind,
  receiver: toReceiver(row),
  subject: row.subject.kind === undefined ? { kind: 'none' } : row.subject,
  state: row.state,
  dueAt: row.due_at.getTime(),
  content: row.content,
  attempts: row.attempts,
  lastError: row.last_error,
  lastStatus: row.last_status,
  createdAt: row.created_at.getTime(),
  doneAt: row.done_at?.getTime() ?? null,
});

function toReceiver({ destination_id, user_id }: DeliveryRow): Receiver {
  if (destination_id !== null) return { kind: 'destination', destinationId: destination_id };
  return { kind: 'user', userId: user_id ?? '' };
}

export const NO_FIRINGS: FiringDigest = {
  named: [],
  issues: 0,
  metrics: 0,
  total: 0,
  firstAt: null,
  ruleIds: [],
};
