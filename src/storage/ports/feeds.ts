/** Reports uploads that were added or removed. */
export interface ArtifactFeed {
  /**
   * `listener` gets the organization; null when uploads of any may have been missed, as on the first connection and
   * on every one after a break. Answers how to unsubscribe.
   */
  subscribe(listener: (organizationId: number | null) => void): () => void;
}

/** Reports changes to the issues of a project; for pages that follow live. */
export interface ChangeFeed {
  /** `projectIds` of what changed, coalesced. Answers how to stop. */
  subscribe(
    listener: (change: { organizationId: number; projectIds: readonly number[] }) => void,
  ): () => void;
}

/** A channel on which PostgreSQL announces new work. */
export interface NotifyFeed {
  /** Answers how to end it. */
  subscribe(listener: () => void): () => void;
}
