import type { Tool } from '../tool.ts';
import { findDashboards, getDashboardTool } from './dashboards.ts';
import { getEventTool, listIssueEventsTool } from './events.ts';
import { explainGroupingTool, explainSourceMapsTool } from './explain.ts';
import { getIssueTool } from './get-issue.ts';
import { addCommentTool, getIssueActivity } from './issue-activity.ts';
import { findMonitors, getMonitorTool } from './monitors.ts';
import { findProjects, getProjectTool } from './projects.ts';
import { findReleases, getReleaseTool } from './releases.ts';
import { getReplayTool, searchReplays } from './replays.ts';
import { searchEvents } from './search-events.ts';
import { findSimilarIssues, searchIssues } from './search-issues.ts';
import { listAttributes, searchTelemetry } from './search-telemetry.ts';
import { updateIssue } from './update-issue.ts';
import { findUptimeMonitors, getUptimeMonitorTool } from './uptime.ts';
import { findUsers, getUserTool } from './users.ts';
import { whoami } from './whoami.ts';

/** In the order in which they are listed: what an agent needs first comes first. */
export const TOOLS: readonly Tool[] = [
  whoami,
  findProjects,
  searchIssues,
  getIssueTool,
  listIssueEventsTool,
  getEventTool,
  searchEvents,
  searchTelemetry,
  listAttributes,
  getIssueActivity,
  findSimilarIssues,
  explainGroupingTool,
  explainSourceMapsTool,
  getProjectTool,
  findReleases,
  getReleaseTool,
  searchReplays,
  getReplayTool,
  findUsers,
  getUserTool,
  findMonitors,
  getMonitorTool,
  findUptimeMonitors,
  getUptimeMonitorTool,
  findDashboards,
  getDashboardTool,
  updateIssue,
  addCommentTool,
];
