/** Services that take messages over HTTP. */
export type SenderKind =
  | 'webhook'
  | 'slack'
  | 'discord'
  | 'msteams'
  | 'pagerduty'
  | 'telegram'
  | 'mattermost'
  | 'google_chat'
  | 'ntfy';

/** One request of a message. What identifies the receiver is added on the way, from what the destination is set to. */
export type MessagePart = {
  body: Readonly<Record<string, unknown>>;
  /** Of a webhook: what the body is, as Sentry names it. */
  resource?: 'event_alert' | 'metric_alert';
};

export type SendJob = {
  kind: SenderKind;
  /** A UUID, the same for every try. */
  deliveryId: string;
  /** As destination-kinds.ts of the product describes both. */
  config: Readonly<Record<string, string>>;
  secret: Readonly<Record<string, string>>;
  /** Sent one after the other. A later try sends all of them once more. */
  parts: readonly MessagePart[];
};

export type SendResult =
  | { kind: 'sent'; status: number }
  /** Another try may go well. `afterMs` is what the service asked for; null when it asked for nothing. */
  | { kind: 'try_later'; status: number | null; reason: string; afterMs: number | null }
  /** No try will. `reason` is a sentence for people that says what to do. */
  | { kind: 'refused'; status: number | null; reason: string }
  /** So much goes to that host already that this one was not tried. */
  | { kind: 'busy' };

export interface DestinationSender {
  /** Never throws, and answers within `timeMsMax` for all parts together. */
  send(job: SendJob, timeMsMax?: number): Promise<SendResult>;
}

/** The longest that all parts of one message may take. */
export const SEND_MS_MAX = 10_000;
