export type Team = {
  id: number;
  organizationId: number;
  /** Unique in its organization. */
  slug: string;
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** User ids. */
  memberIds: readonly string[];
  projectIds: readonly number[];
};

/** Teams, their members and their projects. Source: PostgreSQL. Every call is scoped by organization. */
export interface TeamStore {
  /** By slug, ascending. */
  list(organizationId: number): Promise<readonly Team[]>;
  /** Projects of the teams that the user is in. */
  listProjectIdsOf(organizationId: number, userId: string): Promise<readonly number[]>;
  /** Throws Conflict when the slug is taken. */
  create(organizationId: number, input: { slug: string; name: string }): Promise<Team>;
  /** null when the organization has no such team. Throws Conflict when the slug is taken. */
  update(
    organizationId: number,
    teamId: number,
    change: { slug?: string; name?: string },
  ): Promise<Team | null>;
  /** Its issues belong to nobody afterwards. False when the organization has no such team. */
  delete(organizationId: number, teamId: number): Promise<boolean>;
  /** Whether the user is in the team afterwards; only members of the organization can be. */
  setMember(organizationId: number, teamId: number, userId: string, isMember: boolean): Promise<boolean>;
  /** Whether the team has the project afterwards; only projects of the organization can be had. */
  setProject(organizationId: number, teamId: number, projectId: number, isOwned: boolean): Promise<boolean>;
}
