import type { Role } from './accounts.ts';

/** A member of an organization as its own people see them. */
export type OrganizationMember = {
  /** Of the membership, in one series with invitations. */
  id: number;
  userId: string;
  email: string;
  name: string;
  role: Role;
  hasTwoFactor: boolean;
  /** Milliseconds since the epoch. */
  joinedAt: number;
  /** Within five minutes; null when they never looked at this organization. */
  lastSeenAt: number | null;
  teamIds: readonly number[];
};

/** `last_owner`: nothing changed, for an organization without an owner could not be managed any more. */
export type MemberChange = 'done' | 'unknown' | 'last_owner';

/** Who is in an organization. Source: PostgreSQL. Every call is scoped by organization. */
export interface MemberStore {
  /** By name. */
  list(organizationId: number): Promise<readonly OrganizationMember[]>;
  /** Invitations that they sent with a role above the new one are gone. */
  changeRole(organizationId: number, userId: string, role: Role): Promise<MemberChange>;
  /**
   * Their tokens of the organization, their places in teams, invitations that they sent and searches that they kept for
   * themselves are gone, and issues that were theirs belong to nobody; comments and activities stay.
   */
  remove(organizationId: number, userId: string): Promise<MemberChange>;
  noteSeen(organizationId: number, userId: string, nowMs: number): Promise<void>;
}
