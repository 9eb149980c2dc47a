export const TRACKER_KINDS = ['github', 'gitlab', 'jira', 'linear'] as const;
export type TrackerKind = (typeof TRACKER_KINDS)[number];

/** In the order in which they are offered. */
export const TRACKERS_OFFERED: readonly TrackerKind[] = TRACKER_KINDS;

/** What people see of a kind of tracker, and what connecting one asks for. */
export type TrackerLabels = {
  name: string;
  /** Of its pages; null when everybody has their own. */
  url: string | null;
  /** Whether it may be a server of one's own. */
  hasOwnServers: boolean;
  /** What is asked for beside the token; null for nothing. */
  login: string | null;
  /** Where issues are made. */
  project: string;
  /** Where the token is made, and what it must be allowed to do. */
  tokenHelp: string;
  /** How the webhook is set up there, after its address was copied. */
  hookHelp: string;
  /** Whether the secret of the webhook is chosen here; else it is made there and pasted here. */
  isHookSecretOurs: boolean;
};

export const TRACKER_LABELS: Readonly<Record<TrackerKind, TrackerLabels>> = {
  github: {
    name: 'GitHub',
    url: 'https://github.com',
    hasOwnServers: true,
    login: null,
    project: 'Repository',
    tokenHelp:
      'Settings › Developer settings › Fine-grained tokens: select the repositories and give "Issues" read and write access.',
    hookHelp:
      'In the repository or organization: Settings › Webhooks › Add webhook. Content type: application/json. Events: Pushes, Pull requests, Issues.',
    isHookSecretOurs: true,
  },
  gitlab: {
    name: 'GitLab',
    url: 'https://gitlab.com',
    hasOwnServers: true,
    login: null,
    project: 'Project',
    tokenHelp:
      'In the project or group: Settings › Access tokens, with the Reporter role or higher and the "api" scope.',
    hookHelp:
      'In the project or group: Settings › Webhooks › Add new webhook. Paste the secret as "Secret token". Triggers: Push events, Merge request events, Issues events. If you use a GitLab signing token instead, paste it here.',
    isHookSecretOurs: true,
  },
  jira: {
    name: 'Jira',
    url: null,
    hasOwnServers: true,
    login: 'Account email address, for Jira Cloud. Leave empty for a self-hosted server.',
    project: 'Project',
    tokenHelp:
      'Jira Cloud: id.atlassian.com › Security › API tokens. Self-hosted server: Profile › Personal access tokens.',
    hookHelp:
      'Settings › System › WebHooks › Create. Paste the secret. Events: Issue created, updated, deleted.',
    isHookSecretOurs: true,
  },
  linear: {
    name: 'Linear',
    url: 'https://linear.app',
    hasOwnServers: false,
    login: null,
    project: 'Team',
    tokenHelp: 'Settings › Security & access › Personal API keys, with permission to read and create issues.',
    hookHelp:
      'Settings › API › Webhooks › New webhook. Data: Issues. Copy its signing secret and paste it here.',
    isHookSecretOurs: false,
  },
};
