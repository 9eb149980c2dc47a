/** A commit that a push brought. */
export type PushedCommit = {
  key: string;
  message: string;
  url: string;
  /** In lower case; null when it does not say. */
  authorEmail: string | null;
};

/** What a tracker's webhook reports, in one shape for all kinds. */
export type HookEvent =
  | {
      kind: 'commits';
      /** `owner/name` */
      repository: string;
      /** Whether they are where releases are made of. */
      isDefaultBranch: boolean;
      commits: readonly PushedCommit[];
    }
  /** A pull or merge request. */
  | {
      kind: 'request';
      repository: string;
      /** `acme/web#12` or `acme/web!12` */
      name: string;
      url: string;
      title: string;
      text: string;
      /** The commit that it became, when it was merged into the default branch; else null. */
      mergedAs: string | null;
    }
  /** An issue of the tracker itself. */
  | {
      kind: 'issue';
      key: string;
      title: string;
      state: 'open' | 'closed';
      stateName: string;
    };
