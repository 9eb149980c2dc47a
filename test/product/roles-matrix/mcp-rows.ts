import { createDashboard } from '#product/dashboards/dashboards.ts';
import { ids } from '../fill-telemetry.ts';
import type { BoundRole, ClosedScene } from './closed-scene.ts';
import { newUptimeMonitor } from './uptime-rows.ts';

export type McpRow = {
  /** The lowest role that may. */
  needs: BoundRole;
  /**
   * `project`: names something of a project, which does not exist where that is hidden; `list`: tells of the visible
   * projects; `shared`: names something of the organization, and tells of the visible projects; `organization`: of neither.
   */
  scope: 'project' | 'list' | 'shared' | 'organization';
  args: (
    scene: ClosedScene,
  ) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>;
};

const ofIssue = ({ issue }: ClosedScene) => ({ issue: issue.shortId });
const ofEvent = ({ error }: ClosedScene) => ({ event: error.eventId });
const ofNewIssue = async (scene: ClosedScene) => ({ issue: (await scene.newIssue()).shortId });
const none = () => ({});

/** Every tool of the MCP server, by name. */
export const MCP_ROWS: Readonly<Record<string, McpRow>> = {
  whoami: { needs: 'viewer', scope: 'organization', args: none },
  find_projects: { needs: 'viewer', scope: 'list', args: none },
  search_issues: { needs: 'viewer', scope: 'list', args: none },
  get_issue: { needs: 'viewer', scope: 'project', args: ofIssue },
  list_issue_events: { needs: 'viewer', scope: 'project', args: ofIssue },
  get_event: { needs: 'viewer', scope: 'project', args: ofEvent },
  search_events: { needs: 'viewer', scope: 'list', args: none },
  search_telemetry: { needs: 'viewer', scope: 'list', args: () => ({ dataset: 'spans' }) },
  list_attributes: {
    needs: 'viewer',
    scope: 'list',
    args: () => ({ dataset: 'spans', attribute: 'span.op' }),
  },
  get_issue_activity: { needs: 'viewer', scope: 'project', args: ofIssue },
  find_similar_issues: { needs: 'viewer', scope: 'project', args: ofIssue },
  explain_grouping: { needs: 'viewer', scope: 'project', args: ofIssue },
  explain_source_maps: { needs: 'viewer', scope: 'project', args: ofEvent },
  get_project: { needs: 'viewer', scope: 'project', args: () => ({ project: 'web' }) },
  find_releases: { needs: 'viewer', scope: 'list', args: none },
  get_release: { needs: 'viewer', scope: 'project', args: ({ version }) => ({ version }) },
  search_replays: { needs: 'viewer', scope: 'list', args: none },
  get_replay: { needs: 'viewer', scope: 'project', args: () => ({ replay: ids.replay }) },
  find_users: { needs: 'viewer', scope: 'list', args: none },
  get_user: { needs: 'viewer', scope: 'list', args: () => ({ user: 'id:u-1' }) },
  find_monitors: { needs: 'viewer', scope: 'list', args: none },
  get_monitor: {
    needs: 'viewer',
    scope: 'project',
    args: async (scene) => ({ monitor: await scene.monitorSlug() }),
  },
  find_uptime_monitors: {
    needs: 'viewer',
    scope: 'list',
    args: async (scene) => {
      await newUptimeMonitor(scene);
      return {};
    },
  },
  get_uptime_monitor: {
    needs: 'viewer',
    scope: 'project',
    args: async (scene) => ({ monitor: await newUptimeMonitor(scene) }),
  },
  find_dashboards: { needs: 'viewer', scope: 'organization', args: none },
  get_dashboard: {
    needs: 'viewer',
    scope: 'shared',
    args: async ({ owner, unique }) => {
      const widgets = [{ id: 'w1', title: 'Errors', display: 'list', fields: ['title'] }];
      return { dashboard: (await createDashboard(owner, { title: unique(), widgets })).id };
    },
  },
  update_issue: {
    needs: 'member',
    scope: 'project',
    args: async (scene) => ({ ...(await ofNewIssue(scene)), priority: 'low' }),
  },
  add_comment: {
    needs: 'member',
    scope: 'project',
    args: async (scene) => ({ ...(await ofNewIssue(scene)), text: 'Seen' }),
  },
};
