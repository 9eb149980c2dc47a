import type { Quota } from '#protocol/rate-limits.ts';

export type Organization = {
  id: number;
  slug: string;
  name: string;
  /** Whether everybody reads every project, or only those of their teams. */
  isOpen: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

export type Project = {
  id: number;
  organizationId: number;
  slug: string;
  name: string;
  /** For example `javascript-nextjs`; null when not chosen. */
  platform: string | null;
  /** Internal projects (`errata-self`) are seen by the instance's owner only. */
  isInternal: boolean;
  /** Milliseconds since the epoch; null until the first event is stored. */
  firstEventAt: number | null;
  createdAt: number;
};

export type ClientKey = {
  id: number;
  projectId: number;
  organizationId: number;
  /** 32 lower-case hex digits: the user part of a DSN. */
  publicKey: string;
  label: string;
  isActive: boolean;
  createdAt: number;
  /** The number that DSNs which came along with an imported key end with; null for a key that was made here. */
  formerProjectId: number | null;
};

/** What the edge must know of a key to admit an item; also kept on disk for when PostgreSQL is away. */
export type KeyAdmission = {
  keyId: number;
  projectId: number;
  organizationId: number;
  publicKey: string;
  isActive: boolean;
  /** Of `errata-self`, whose key the sign-in page publishes: it takes errors only. */
  isInternal: boolean;
  /** Whether anybody may write in the public feedback form of the project; copies of older versions do not say. */
  hasFeedbackForm?: boolean;
  /** The project's number in DSNs of another installation that the key came from; absent for a key that was made here. */
  formerProjectId?: number | null;
  /** The limits of the key, of its project and of its organization. */
  quotas: readonly Quota[];
};

/** What a project sent lately. */
export type ProjectSummary = {
  projectId: number;
  /** Errors accepted, by bucket, oldest first. */
  buckets: readonly number[];
  accepted: number;
  /** Issues that were first seen in the range. */
  newIssues: number;
  unresolvedIssues: number;
  /** Milliseconds since the epoch, at any time; null until an event is stored. */
  lastEventAt: number | null;
  /** Of its oldest active client key; null when none is active. */
  publicKey: string | null;
};
