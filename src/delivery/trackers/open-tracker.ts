import type { Network } from '#lib/guarded-request/network.ts';
import type { OpenTracker, TrackerAccess, TrackerClient, TrackerService } from '../ports/tracker-client.ts';
import { openGithub } from './github.ts';
import { openGitlab } from './gitlab.ts';
import { openJira } from './jira.ts';
import { openLinear } from './linear.ts';

const CLIENTS: Readonly<Record<TrackerService, (access: TrackerAccess, network: Network) => TrackerClient>> =
  {
    github: openGithub,
    gitlab: openGitlab,
    jira: openJira,
    linear: openLinear,
  };

/** Everything goes over `network`, which leads inside only where the operator allows it. */
export const createOpenTracker =
  (network: Network): OpenTracker =>
  (access) =>
    CLIENTS[access.kind](access, network);
