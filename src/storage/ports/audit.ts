export type AuditActor = {
  kind: 'user' | 'token' | 'organization_token' | 'system';
  /** Of the user, or of the token's owner; null for others. */
  userId: string | null;
  /** As it was then. */
  name: string;
  /** null unless a token was used. */
  tokenId: number | null;
};

/** What was changed. */
export type AuditTarget = {
  /** For example `member` or `project`. */
  kind: string;
  /** null when it has none. */
  id: string | null;
  /** As it was then. */
  name: string;
};

export type NewAuditEntry = {
  organizationId: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** For example `member.edit`. */
  action: string;
  actor: AuditActor;
  /** Where the request came from; null for jobs and the command line. */
  ipAddress: string | null;
  target: AuditTarget;
  /** What else is worth knowing; never a secret. */
  data: Readonly<Record<string, unknown>>;
};

export type AuditEntry = NewAuditEntry & { id: number };

/** Absent conditions narrow nothing. */
export type AuditQuery = {
  actorUserId?: string;
  action?: string;
  /** Milliseconds since the epoch; `fromMs` is included, `toMs` is not. */
  fromMs?: number;
  toMs?: number;
  /** Only entries before this one. */
  beforeId?: number;
};

/** Who changed what. Source: PostgreSQL. */
export interface AuditStore {
  record(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  list(organizationId: number, query: AuditQuery, limit: number): Promise<readonly AuditEntry[]>;
  /** Who did something, by name; for choosing among. */
  listActors(organizationId: number, limit: number): Promise<readonly { userId: string; name: string }[]>;
  /** Answers how many went. */
  deleteBefore(atMs: number, limit: number): Promise<number>;
}
