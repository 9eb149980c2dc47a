/** How many events of one hash have another one by the rules. */
export type HashPair = {
  from: string;
  to: string;
  events: number;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
  /** Of the newest of these events, by the new rules. */
  title: string;
};

/** The hash index of the issues concerned, before a plan is made. */
export type HashIndex = {
  /** The issue of each hash that is known, of all hashes of the issues concerned. */
  issueOf: ReadonlyMap<string, number>;
  /** How many events were counted under each; without those that none was. */
  counted: ReadonlyMap<string, number>;
  /** The hash that events have which are stored with this one, since an earlier regroup; else they have it themselves. */
  standsFor: ReadonlyMap<string, string>;
  /** Successors that an earlier round of the same change decided. */
  decided: ReadonlyMap<string, string>;
  /** Heirs that an earlier round saw most events of a hash go to. */
  heirs: ReadonlyMap<string, string>;
};

/** An issue that is there, or one to be made for the hash `key` from what the issue `from` is. */
export type PlanTarget = { kind: 'issue'; issueId: number } | { kind: 'new'; key: string; from: number };

export type RegroupPlan = {
  /** The hash that takes the place of each old one in the index; its events stay stored as they are. */
  successors: ReadonlyMap<string, string>;
  /** Hashes whose issue changes, or that are new to the index. */
  moves: readonly { hash: string; target: PlanTarget }[];
  /** Issues that no hash leads to any more. */
  dissolved: readonly { issueId: number; into: PlanTarget }[];
  /** Events that get another hash: all others only have another issue. */
  splits: readonly HashPair[];
  /** Title of each issue that is touched, by its newest event and the new rules. */
  titles: readonly { target: PlanTarget; title: string; lastSeen: number }[];
};
