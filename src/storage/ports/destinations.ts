export const DESTINATION_KINDS = [
  'webhook',
  'slack',
  'discord',
  'msteams',
  'pagerduty',
  'telegram',
  'mattermost',
  'google_chat',
  'ntfy',
] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/**
 * Where messages go. `config` holds what everybody of the organization may see, `secret` what lets whoever knows it post;
 * both by kind, as src/product/destinations/destination-kinds.ts describes them.
 */
export type Destination = {
  id: number;
  organizationId: number;
  kind: DestinationKind;
  name: string;
  config: Readonly<Record<string, string>>;
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** null before the first message. */
  lastSentAt: number | null;
  /** Since when every message failed; null when the last one was taken. */
  failingSince: number | null;
  lastError: string | null;
};

export type DestinationSecret = Readonly<Record<string, string>>;

export type SecretReading =
  | { kind: 'read'; secret: DestinationSecret }
  | { kind: 'absent' }
  /** It was encrypted with another secret of the instance. */
  | { kind: 'unreadable' };

/** Source: PostgreSQL; secrets are encrypted there. Every call is scoped by organization. */
export interface DestinationStore {
  /** By name. */
  list(organizationId: number): Promise<readonly Destination[]>;
  find(organizationId: number, id: number): Promise<Destination | null>;
  /** Only delivery, and changes that keep a part of it, ask for it. */
  readSecret(organizationId: number, id: number): Promise<SecretReading>;
  /** Throws Conflict for a name that is taken. */
  add(
    organizationId: number,
    destination: Pick<Destination, 'kind' | 'name' | 'config'> & { secret: DestinationSecret },
    userId: string | null,
    atMs: number,
  ): Promise<Destination>;
  /** `secret` null keeps what is stored. null when there is none; throws Conflict for a name that is taken. */
  update(
    organizationId: number,
    id: number,
    change: { name: string; config: Destination['config']; secret: DestinationSecret | null },
  ): Promise<Destination | null>;
  /** False when there is none. Rules that name it tell one receiver less. */
  remove(organizationId: number, id: number): Promise<boolean>;
  /** The last message was taken (`error` null), or failed. */
  noteResult(organizationId: number, id: number, error: string | null, atMs: number): Promise<void>;
}
