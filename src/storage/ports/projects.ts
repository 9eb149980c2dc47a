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
  /** The limits of the key, of its project and of its organization. */
  quotas: readonly Quota[];
};

/** What is absent stays; the platform null is none. */
export type ProjectChange = { name?: string | undefined; slug?: string; platform?: string | null };

/** Organizations, projects and client keys. Source: PostgreSQL. */
export interface ProjectStore {
  /** Throws Conflict when the slug is taken. */
  createOrganization(input: { slug: string; name: string }): Promise<Organization>;
  findOrganization(slug: string): Promise<Organization | null>;
  listOrganizations(): Promise<readonly Organization[]>;
  /** Creates the project with its first client key in one transaction. Throws Conflict as `updateProject`. */
  createProject(input: {
    organizationId: number;
    slug: string;
    name: string;
    platform: string | null;
    isInternal: boolean;
  }): Promise<{ project: Project; key: ClientKey }>;
  findProject(organizationId: number, slug: string): Promise<Project | null>;
  /**
   * null when the organization has no such project. Throws Conflict for a slug that another project has, or that issues
   * of another one are named by.
   */
  updateProject(organizationId: number, projectId: number, change: ProjectChange): Promise<Project | null>;
  /** By slug, ascending. */
  listProjects(organizationId: number): Promise<readonly Project[]>;
  /** Oldest first. */
  listKeys(organizationId: number, projectId: number): Promise<readonly ClientKey[]>;
  /** As `listKeys`, of several projects; those after the key with the number `after`, at most `limit`. */
  listKeysOf(
    organizationId: number,
    projectIds: readonly number[],
    page: { after: number; limit: number },
  ): Promise<readonly ClientKey[]>;
  createKey(organizationId: number, projectId: number, label: string): Promise<ClientKey>;
  setKeyActive(organizationId: number, keyId: number, isActive: boolean): Promise<ClientKey | null>;
  renameKey(organizationId: number, keyId: number, label: string): Promise<ClientKey | null>;
  /** With its limits; edges turn it away within seconds. False when the organization has no such key. */
  deleteKey(organizationId: number, keyId: number): Promise<boolean>;
  /** Every key of the instance, at most `limit`; for the edge's table. */
  listAdmissions(limit: number): Promise<readonly KeyAdmission[]>;
  findAdmission(publicKey: string): Promise<KeyAdmission | null>;
  /** Environments and releases that were seen, newest first. */
  listEnvironments(organizationId: number, projectIds: readonly number[]): Promise<readonly string[]>;
}
