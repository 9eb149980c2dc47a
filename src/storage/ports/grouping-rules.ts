/** The two texts of a project's grouping rules, in Sentry's languages. Both empty for a project without rules. */
export type GroupingRuleTexts = { fingerprint: string; stackTrace: string };

export type GroupingRulesVersion = GroupingRuleTexts & {
  /** From 1 on. */
  version: number;
  /** null when the account is gone, or the system did it. */
  author: { userId: string; name: string } | null;
  /** The version whose texts were taken again; null for texts that were written. */
  restoredFrom: number | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Since when new events follow it; null while it waits for its regroup, and for one that was cancelled. */
  activatedAt: number | null;
};

/** Which rules digest follows: version 0 and empty texts for a project that has none. */
export type ActiveGroupingRules = GroupingRuleTexts & { projectId: number; version: number };

/** Versions of grouping rules by project. Source: PostgreSQL. */
export interface GroupingRulesStore {
  /** Of every project that has rules, for digest's table; at most `limit`. */
  listActive(limit: number): Promise<readonly ActiveGroupingRules[]>;
  /** The rules that count now. */
  findActive(organizationId: number, projectId: number): Promise<ActiveGroupingRules>;
  /** null when there is no such version. */
  findVersion(
    organizationId: number,
    projectId: number,
    version: number,
  ): Promise<GroupingRulesVersion | null>;
  /** Newest first. */
  listVersions(
    organizationId: number,
    projectId: number,
    limit: number,
  ): Promise<readonly GroupingRulesVersion[]>;
  /**
   * A new version that counts for new events from now on; answers its number. Throws Conflict when `basedOn` is not the
   * active version any more, and while a regroup of the project is under way.
   */
  activate(
    organizationId: number,
    projectId: number,
    rules: NewGroupingRules,
    nowMs: number,
  ): Promise<number>;
}

export type NewGroupingRules = GroupingRuleTexts & {
  authorUserId: string | null;
  restoredFrom: number | null;
  /** The version that was edited: what somebody else saved meanwhile is not overwritten unseen. */
  basedOn: number;
};
