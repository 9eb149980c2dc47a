import type { Organization } from './projects.ts';

/** What of an organization can be changed. */
export type OrganizationChange = { name?: string; slug?: string; isOpen?: boolean };

/** The settings of organizations themselves. Source: PostgreSQL. */
export interface OrganizationStore {
  /** A changed slug leads to the organization still. null when there is none. Throws Conflict when the slug is taken. */
  update(organizationId: number, change: OrganizationChange, nowMs: number): Promise<Organization | null>;
  /** With all that hangs on it but projects, which have a deletion of their own. False when there is none. */
  delete(organizationId: number): Promise<boolean>;
  /** The organization that had the slug before; null when none had, or another one has it now. */
  findByFormerSlug(slug: string): Promise<Organization | null>;
}
