import type { FiringDigest } from '#domain/alerts/alert-rule.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import type { Incident } from '#product/incidents/store/incidents.ts';

/**
 * `alert`: firings of rules, as many as came together; `closing`: incidents of a pager whose issues are resolved,
 * archived or gone, or whose metric nobody looks at any more; `activity`: what happened to an issue that concerns a user; `report`: a week of an organization; `test`:
 * somebody pressed the button; `reply`: the receiver answers a feedback, and it goes to whoever sent that.
 */
export type DeliveryKind = 'alert' | 'closing' | 'activity' | 'report' | 'test' | 'reply';

/**
 * What a message is about besides its firings and activities: the week that begins then (milliseconds); incidents that it
 * closes, or that an alert opened.
 */
export type DeliverySubject =
  | { kind: 'none' }
  | { kind: 'report'; weekStart: number }
  | { kind: 'incidents'; incidents: readonly Incident[] };

/**
 * `open`: more may join; `sealed`: its content is decided; the others are final. `failed`: somebody misses it; `dropped`:
 * nobody does, since its receiver or what it was about is gone.
 */
export type DeliveryState = 'open' | 'sealed' | 'sent' | 'failed' | 'dropped';

export type Delivery = {
  /** A UUID, the same for every try. */
  id: string;
  organizationId: number;
  kind: DeliveryKind;
  receiver: Receiver;
  subject: DeliverySubject;
  state: DeliveryState;
  /** Milliseconds since the epoch: not sent before. */
  dueAt: number;
  /** What is sent, as src/product/messages/message-content.ts describes it; of a finished one only its summary is kept. */
  content: unknown;
  attempts: number;
  /** A sentence about the last try that failed. */
  lastError: string | null;
  /** Of HTTP, of the last try; null when there was no answer. */
  lastStatus: number | null;
  createdAt: number;
  doneAt: number | null;
};

/** A delivery that somebody has taken to send; nobody else gets it until the lease ends. */
export type TakenDelivery = Delivery & {
  /** Milliseconds since the epoch. */
  leaseUntil: number;
  /** Why it is sent: none for other kinds than `alert`, and once it has its content. */
  firings: FiringDigest;
};

/** Who holds a message. */
export type Lease = Pick<TakenDelivery, 'id' | 'leaseUntil'>;

/** What an activity says of the message of a reply. */
export type ReplyDelivery = Pick<Delivery, 'state' | 'attempts' | 'lastError' | 'dueAt' | 'doneAt'>;

/** One of the log; replies are shown with their issues. */
export type ListedDelivery = Omit<Delivery, 'kind'> & {
  kind: Exclude<DeliveryKind, 'reply'>;
  /** Of the projects that were asked for. */
  firingsTotal: number;
  /** Whether it also mentions projects that were not asked for. */
  mentionsOthers: boolean;
  /** null for a destination. */
  userName: string | null;
};

/** Where a page of the log ended. */
export type DeliveryPlace = { createdAt: number; id: string };
