/** Services that keep issues. */
export type TrackerService = 'github' | 'gitlab' | 'jira' | 'linear';

/** How one of them is reached. */
export type TrackerAccess = {
  kind: TrackerService;
  /** Of its pages, without a trailing slash. */
  url: string;
  /** null where the token is enough. */
  login: string | null;
  token: string;
};

/** Where an issue can be made: a repository, a project, a team. */
export type TrackerProject = {
  /** As the service asks for it. */
  id: string;
  name: string;
};

export type TrackerIssue = {
  /** As people name it: `acme/web#12`, `WEB-7`. */
  key: string;
  url: string;
  title: string;
  state: 'open' | 'closed';
  /** As the service calls it, such as `In Progress`. */
  stateName: string;
};

export type TrackerAnswer<Value> =
  | { kind: 'done'; value: Value }
  /**
   * `reason` is a sentence for people that says what to do, without a full stop. `isDenied`: the token is no good.
   * `concernsAll`: whatever else is asked of it now would fail as well.
   */
  | { kind: 'failed'; reason: string; isDenied: boolean; concernsAll: boolean };

/** One service with one token. Nothing throws, and everything answers within `TRACKER_MS_MAX`. */
export interface TrackerClient {
  /** Whose the token is. */
  whoAmI(): Promise<TrackerAnswer<{ name: string }>>;
  /** Those with the text in their name, at most `limit`; all for an empty one. */
  listProjects(text: string, limit: number): Promise<TrackerAnswer<readonly TrackerProject[]>>;
  createIssue(draft: {
    projectId: string;
    title: string;
    body: string;
  }): Promise<TrackerAnswer<TrackerIssue>>;
  /** Of the project, with the text in the title, the newest first, at most `limit`. */
  findIssues(projectId: string, text: string, limit: number): Promise<TrackerAnswer<readonly TrackerIssue[]>>;
  /** By its key; null when the token sees no such issue. */
  getIssue(key: string): Promise<TrackerAnswer<TrackerIssue | null>>;
}

export type OpenTracker = (access: TrackerAccess) => TrackerClient;

/** The longest that one of its calls may take. */
export const TRACKER_MS_MAX = 15_000;
