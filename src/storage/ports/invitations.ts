import type { Role } from './accounts.ts';

export type Invitation = {
  /** In one series with memberships. */
  id: number;
  organizationId: number;
  /** In lower case. */
  email: string;
  role: Role;
  teamIds: readonly number[];
  /** null: the operator. */
  invitedBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
};

export type NewInvitation = {
  organizationId: number;
  email: string;
  role: Role;
  teamIds: readonly number[];
  /** 32 bytes, SHA-256: the token itself is not kept. */
  tokenHash: Uint8Array;
  /** null: the operator. */
  invitedBy: string | null;
  createdAt: number;
  expiresAt: number;
};

/** Who was asked to join. Source: PostgreSQL. */
export interface InvitationStore {
  /** Newest first, expired ones included. */
  list(organizationId: number): Promise<readonly Invitation[]>;
  /** In place of an earlier one to the same address, which opens no more. */
  put(invitation: NewInvitation): Promise<Invitation>;
  /** Another token, and time from now; the earlier token opens no more. null when there is no such invitation. */
  renew(
    organizationId: number,
    id: number,
    renewal: { tokenHash: Uint8Array; invitedBy: string | null; expiresAt: number },
  ): Promise<Invitation | null>;
  /** null when there is no such invitation. */
  remove(organizationId: number, id: number): Promise<Invitation | null>;
  /** null when the token is unknown, used, revoked or expired. */
  find(tokenHash: Uint8Array, nowMs: number): Promise<Invitation | null>;
  /** Uses the invitation up and makes the user a member, in its teams. null as for `find`; also for a member. */
  accept(tokenHash: Uint8Array, userId: string, nowMs: number): Promise<Invitation | null>;
}
