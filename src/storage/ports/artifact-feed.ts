/** Tells of uploads that came or went. */
export interface ArtifactFeed {
  /**
   * `listener` is told the organization; null when uploads of any may have been missed, as on the first connection and
   * on every one after a break. Answers how to unsubscribe.
   */
  subscribe(listener: (organizationId: number | null) => void): () => void;
}
