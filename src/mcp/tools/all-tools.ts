import type { Tool } from '../tool.ts';
import { addCommentTool } from './add-comment.ts';
import { explainGroupingTool } from './explain-grouping.ts';
import { explainSourceMapsTool } from './explain-source-maps.ts';
import { findProjects } from './find-projects.ts';
import { findReleases } from './find-releases.ts';
import { findSimilarIssues } from './find-similar-issues.ts';
import { getEventTool } from './get-event.ts';
import { getIssueTool } from './get-issue.ts';
import { getIssueActivity } from './get-issue-activity.ts';
import { getProjectTool } from './get-project.ts';
import { getReleaseTool } from './get-release.ts';
import { listIssueEventsTool } from './list-issue-events.ts';
import { searchEvents } from './search-events.ts';
import { searchIssues } from './search-issues.ts';
import { updateIssue } from './update-issue.ts';
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
  getIssueActivity,
  findSimilarIssues,
  explainGroupingTool,
  explainSourceMapsTool,
  getProjectTool,
  findReleases,
  getReleaseTool,
  updateIssue,
  addCommentTool,
];
