import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import { setTwoFactorRequired } from '#product/accounts/second-factor-policy.ts';
import { requestBackup, updateBackupSchedule } from '#product/backups/backup-settings.ts';
import {
  deleteCodeMapping,
  saveCodeMapping,
  saveCodeMappings,
  updateCodeMapping,
} from '#product/code-mappings/code-mappings.ts';
import { addComment, deleteComment, editComment } from '#product/comments/comments.ts';
import {
  createDashboard,
  deleteDashboard,
  starDashboard,
  updateDashboard,
} from '#product/dashboards/dashboards.ts';
import { updateFeedbackForm } from '#product/feedback/feedback-form.ts';
import { replyToFeedback } from '#product/feedback/reply-to-feedback.ts';
import { resendReply } from '#product/feedback/resend-reply.ts';
import { cancelRegroup, undoGroupingChange } from '#product/grouping/grouping-changes.ts';
import { applyGroupingRules } from '#product/grouping/grouping-rules.ts';
import { mergeIssues, unmergeHashes } from '#product/grouping/merge-issues.ts';
import { updateInboundFilters } from '#product/inbound-filters/inbound-filters.ts';
import { inviteMember, resendInvitation, revokeInvitation } from '#product/invitations/invitations.ts';
import { deleteIssues, restoreDiscardedIssue } from '#product/issue-deletion/delete-issues.ts';
import { addLink, removeLink } from '#product/issue-links/issue-links.ts';
import { setUserState } from '#product/issue-user-state/user-state.ts';
import { restoreIssues, updateIssues } from '#product/issues/update-issues.ts';
import { changeRole, leaveOrganization, removeMember } from '#product/members/members.ts';
import { approveAuthorization } from '#product/oauth/authorization.ts';
import {
  createOrganization,
  deleteOrganization,
  updateOrganization,
} from '#product/organizations/organizations.ts';
import { updateOwnership } from '#product/ownership/ownership.ts';
import { updateDetectionSettings } from '#product/performance-issues/detection-settings.ts';
import { updateOrganizationPrivacy, updateProjectPrivacy } from '#product/privacy/privacy-settings.ts';
import { deleteProject, updateProject } from '#product/projects/change-projects.ts';
import { createProjectKey, setProjectKeyActive, updateProjectKey } from '#product/projects/client-keys.ts';
import { createProject } from '#product/projects/create-project.ts';
import { updateOrganizationLimits, updateProjectLimits } from '#product/quotas/limits.ts';
import { updateSpikeProtection } from '#product/quotas/spike-protection.ts';
import { createDeploy } from '#product/releases/deploys.ts';
import { deleteRelease, saveRelease, updateRelease } from '#product/releases/save-release.ts';
import { deleteReplay } from '#product/replays/delete-replay.ts';
import { createRepository, deleteRepository, updateRepository } from '#product/repositories/repositories.ts';
import { updateProjectBudget, updateRetentionDays } from '#product/retention/storage-settings.ts';
import {
  createSavedQuery,
  deleteSavedQuery,
  starSavedQuery,
  updateSavedQuery,
} from '#product/saved-searches/saved-queries.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  updateSavedSearch,
} from '#product/saved-searches/saved-searches.ts';
import { shareDashboard, stopSharingDashboard } from '#product/sharing/dashboard-sharing.ts';
import { setSharingAllowed, shareIssue, stopSharing } from '#product/sharing/sharing.ts';
import { cancelReprocess, startReprocess } from '#product/symbolication/reprocesses.ts';
import { createTeam, deleteTeam, setTeamMember, setTeamProject, updateTeam } from '#product/teams/teams.ts';
import {
  createOrganizationToken,
  renameOrganizationToken,
  revokeAllOrganizationTokens,
  revokeOrganizationToken,
} from '#product/tokens/organization-tokens.ts';
import { ALERT_CHANGES } from './alert-rows.ts';
import { ARTIFACT_CHANGES } from './artifact-verbs.ts';
import { DATA_REQUEST_CHANGES } from './data-request-rows.ts';
import { DESTINATION_CHANGES } from './destination-rows.ts';
import { MONITOR_CHANGES } from './monitor-rows.ts';
import { settings, type VerbRow, works } from './rows.ts';
import { MAILER, type MatrixScene, SAVED_QUERY } from './scene.ts';
import { TRACKER_CHANGES } from './tracker-rows.ts';
import { UPTIME_CHANGES } from './uptime-rows.ts';

const WEB = { projectSlug: 'web' } as const;
const LIMITS = [{ kind: 'errors', limit: 1_000_000, windowSeconds: 3_600 }] as const;

const DEPLOY = { environment: 'production', name: null, url: null, startedAt: null, finishedAt: null };
const REPOSITORY = { provider: 'github', url: null, linkTemplate: null } as const;
const newMapping = async (s: MatrixScene) => ({
  ...WEB,
  repositoryId: (await s.newRepository()).id,
  stackRoot: `${s.unique()}/`,
  sourceRoot: 'src/',
  defaultBranch: 'main',
});

/** Verbs that change something, by name. */
export const CHANGING_VERBS: Readonly<Record<string, VerbRow>> = {
  ...ARTIFACT_CHANGES,
  ...ALERT_CHANGES,
  ...DESTINATION_CHANGES,
  ...MONITOR_CHANGES,
  ...UPTIME_CHANGES,
  ...TRACKER_CHANGES,
  setTwoFactorRequired: settings('owner', 'org.auth.edit', (ctx) => setTwoFactorRequired(ctx, false)),
  // What it may do is cut down to its owner's role at every use.
  createToken: settings('viewer', 'api-key.create', (ctx) =>
    createToken(ctx, { name: 'Matrix', scopes: ['event:read'], expiresAt: null }),
  ),
  saveRelease: works('member', (ctx, s) =>
    saveRelease(ctx, { version: s.unique(), projectSlugs: ['web'], change: {} }),
  ),
  updateRelease: works('member', async (ctx, s) =>
    updateRelease(ctx, { version: await s.newRelease(), projectSlugs: [], change: { ref: 'main' } }),
  ),
  deleteRelease: settings('member', 'release.remove', async (ctx, s) =>
    deleteRelease(ctx, { version: await s.newRelease(), projectSlugs: [] }),
  ),
  createDeploy: works('member', (ctx, s) =>
    createDeploy(ctx, { version: s.version, projectSlugs: [], deploy: DEPLOY }),
  ),
  createRepository: settings('manager', 'repo.add', (ctx, s) =>
    createRepository(ctx, { ...REPOSITORY, name: `acme/${s.unique()}` }),
  ),
  updateRepository: settings('manager', 'repo.edit', async (ctx, s) => {
    const { id, name } = await s.newRepository();
    return updateRepository(ctx, { ...REPOSITORY, name, repositoryId: id });
  }),
  deleteRepository: settings('manager', 'repo.remove', async (ctx, s) =>
    deleteRepository(ctx, (await s.newRepository()).id),
  ),
  saveCodeMapping: settings('member', 'code-mapping.add', async (ctx, s) =>
    saveCodeMapping(ctx, await newMapping(s)),
  ),
  saveCodeMappings: settings('member', 'code-mapping.add', async (ctx, s) => {
    const { repositoryId: _, ...mapping } = await newMapping(s);
    return saveCodeMappings(ctx, { ...mapping, repositoryName: 'acme/web', mappings: [mapping] });
  }),
  updateCodeMapping: settings('member', 'code-mapping.edit', async (ctx, s) =>
    updateCodeMapping(ctx, { ...(await newMapping(s)), mappingId: await s.newCodeMapping() }),
  ),
  deleteCodeMapping: settings('member', 'code-mapping.remove', async (ctx, s) =>
    deleteCodeMapping(ctx, await s.newCodeMapping()),
  ),
  addComment: works('member', (ctx, s) => addComment(ctx, s.issue, { text: 'Seen' })),
  deleteComment: works('member', async (ctx, s) =>
    deleteComment(ctx, s.issue, { commentId: await s.newComment(ctx.userId) }),
  ),
  replyToFeedback: settings('member', 'feedback.reply', async (ctx, s) =>
    replyToFeedback(ctx, MAILER, await s.newFeedback(), { eventId: null, text: 'Fixed' }),
  ),
  resendReply: settings('member', 'feedback.resend', async (ctx, s) => {
    const { issue, replyId } = await s.newFailedReply();
    return resendReply(ctx, MAILER, issue, { replyId });
  }),
  editComment: works('member', async (ctx, s) =>
    editComment(ctx, s.issue, { commentId: await s.newComment(ctx.userId), text: 'Changed' }),
  ),
  applyGroupingRules: settings('admin', 'project.grouping.edit', async (ctx, s) =>
    applyGroupingRules(ctx, {
      projectSlug: (await s.newProject()).slug,
      to: 'new',
      basedOn: 0,
      rules: { fingerprint: 'error.type:A -> a', stackTrace: '' },
    }),
  ),
  cancelRegroup: settings('admin', 'project.grouping.cancel', async (ctx, s) =>
    cancelRegroup(ctx, await s.newRegroup()),
  ),
  startReprocess: works('member', async (ctx, s) =>
    startReprocess(ctx, {
      projectSlug: (await s.newProject()).slug,
      scope: { kind: 'release', version: s.version },
    }),
  ),
  cancelReprocess: works('member', async (ctx, s) => cancelReprocess(ctx, await s.newReprocess())),
  mergeIssues: works('member', async (ctx, s) =>
    mergeIssues(ctx, { issueIds: [(await s.newIssue()).id, (await s.newIssue()).id] }),
  ),
  // Of a merge; taking back a regroup of history needs an admin, see test/product/grouping-rules.test.ts.
  undoGroupingChange: works('member', async (ctx, s) => undoGroupingChange(ctx, (await s.newMerge()).id)),
  unmergeHashes: works('member', async (ctx, s) => {
    const { target, hashes } = await s.newMerge();
    return unmergeHashes(ctx, target, hashes.slice(0, 1));
  }),
  updateInboundFilters: settings('admin', 'project.filters.edit', (ctx) =>
    updateInboundFilters(ctx, { ...WEB, change: { releases: ['old@*'] } }),
  ),
  inviteMember: settings('manager', 'member.invite', (ctx, s) =>
    inviteMember(ctx, MAILER, { email: `${s.unique()}@example.com`, role: 'member', teams: [] }),
  ),
  resendInvitation: settings('manager', 'member.reinvite', async (ctx, s) =>
    resendInvitation(ctx, MAILER, { invitationId: (await s.newInvitation()).id }),
  ),
  revokeInvitation: settings('manager', 'invite.remove', async (ctx, s) =>
    revokeInvitation(ctx, { invitationId: (await s.newInvitation()).id }),
  ),
  deleteIssues: settings('manager', 'issue.delete', async (ctx, s) =>
    deleteIssues(ctx, { issueIds: [(await s.newIssue()).id], discard: false }),
  ),
  deleteReplay: settings('manager', 'replay.delete', async (ctx, s) =>
    deleteReplay(ctx, { ...WEB, replayId: await s.newReplay() }),
  ),
  restoreDiscardedIssue: settings('manager', 'issue.restore', async (ctx, s) =>
    restoreDiscardedIssue(ctx, { ...WEB, discardedId: await s.newDiscarded() }),
  ),
  addLink: works('member', (ctx, s) =>
    addLink(ctx, s.issue, { url: `https://tracker.example.com/${s.unique()}` }),
  ),
  removeLink: works('member', async (ctx, s) => removeLink(ctx, s.issue, await s.newLink())),
  setUserState: works('viewer', (ctx, s) =>
    setUserState(ctx, { issueIds: [s.issue.id], change: { isBookmarked: true } }),
  ),
  restoreIssues: works('member', (ctx, s) =>
    restoreIssues(ctx, {
      part: 'assignee',
      entries: [{ issueId: s.issue.id, assigneeUserId: null, assigneeTeamId: null }],
    }),
  ),
  updateIssues: works('member', async (ctx, s) =>
    updateIssues(ctx, { issueIds: [(await s.newIssue()).id], change: { priority: 'low' } }),
  ),
  changeRole: settings('manager', 'member.edit', async (ctx, s) =>
    changeRole(ctx, { member: (await s.newMember()).userId, role: 'member' }),
  ),
  removeMember: settings('manager', 'member.remove', async (ctx, s) =>
    removeMember(ctx, { member: (await s.newMember()).userId }),
  ),
  leaveOrganization: settings('viewer', 'member.leave', async (ctx, s) => {
    if (ctx.actor.kind !== 'user') throw new Error('The matrix asks as people');
    return leaveOrganization(await s.newMember(ctx.actor.role));
  }),
  createOrganization: works('instance_owner', (ctx, s) => createOrganization(ctx, { name: s.unique() })),
  deleteOrganization: works('owner', async (ctx, s) => {
    const other = await s.newOrganization();
    return deleteOrganization({ ...ctx, organization: other }, { confirmation: other.slug });
  }),
  updateOrganization: settings('manager', 'org.edit', (ctx, s) =>
    updateOrganization(ctx, { name: `Name ${s.unique()}` }),
  ),
  updateOwnership: settings('admin', 'project.ownership-rule.edit', (ctx) =>
    updateOwnership(ctx, { ...WEB, change: { autoAssign: false } }),
  ),
  updateOrganizationPrivacy: settings('manager', 'org.privacy.edit', (ctx) =>
    updateOrganizationPrivacy(ctx, { sensitiveFields: ['iban'] }),
  ),
  updateProjectPrivacy: settings('admin', 'project.privacy.edit', (ctx) =>
    updateProjectPrivacy(ctx, { ...WEB, change: { sensitiveFields: ['iban'] } }),
  ),
  createProject: settings('admin', 'project.create', (ctx, s) =>
    createProject(ctx, { slug: `new-${s.unique()}`, platform: null }),
  ),
  createProjectKey: settings('admin', 'projectkey.create', async (ctx, s) =>
    createProjectKey(ctx, { projectSlug: (await s.newProject()).slug, label: 'Mobile' }),
  ),
  deleteProject: settings('manager', 'project.remove', async (ctx, s) => {
    const { slug } = await s.newProject();
    return deleteProject(ctx, { projectSlug: slug, confirmation: slug });
  }),
  setProjectKeyActive: settings('admin', 'projectkey.disable', async (ctx, s) => {
    const { projectSlug, keyId } = await s.newKey();
    return setProjectKeyActive(ctx, { projectSlug, keyId, isActive: false });
  }),
  updateProject: settings('admin', 'project.edit', async (ctx, s) =>
    updateProject(ctx, { projectSlug: (await s.newProject()).slug, change: { name: 'Renamed' } }),
  ),
  updateProjectKey: settings('admin', 'projectkey.edit', async (ctx, s) => {
    const { projectSlug, keyId } = await s.newKey();
    return updateProjectKey(ctx, { projectSlug, key: keyId, change: { label: 'Renamed' } });
  }),
  updateOrganizationLimits: settings('manager', 'org.quotas.edit', (ctx) =>
    updateOrganizationLimits(ctx, LIMITS),
  ),
  updateProjectLimits: settings('admin', 'project.quotas.edit', (ctx) =>
    updateProjectLimits(ctx, { ...WEB, limits: LIMITS }),
  ),
  updateSpikeProtection: settings('admin', 'project.spike-protection.edit', (ctx) =>
    updateSpikeProtection(ctx, { ...WEB, spike: { isEnabled: true, bodiesPerHour: 1_000 } }),
  ),
  updateFeedbackForm: settings('admin', 'project.feedback-form.edit', (ctx) =>
    updateFeedbackForm(ctx, { ...WEB, isEnabled: true }),
  ),
  updateDetectionSettings: settings('admin', 'project.performance-detection.edit', (ctx) =>
    updateDetectionSettings(ctx, { ...WEB, change: { isEnabled: true } }),
  ),
  updateBackupSchedule: settings('instance_owner', 'org.backups.edit', (ctx) =>
    updateBackupSchedule(ctx, { isOn: false, folder: '/var/backups/errata', minuteOfDay: 180, keep: 7 }),
  ),
  requestBackup: settings('instance_owner', 'org.backups.request', async (ctx, s) => {
    await s.product.stores.backups.saveSchedule({
      isOn: false,
      folder: '/var/backups/errata',
      minuteOfDay: 180,
      keep: 7,
    });
    await s.product.stores.backups.claim(Date.now());
    await requestBackup(ctx);
  }),
  updateRetentionDays: settings('instance_owner', 'org.retention.edit', (ctx) =>
    updateRetentionDays(ctx, {}),
  ),
  updateProjectBudget: settings('instance_owner', 'org.project_budget.edit', async (ctx, s) =>
    updateProjectBudget(ctx, (await s.newProject()).id, null),
  ),
  createSavedSearch: works('viewer', (ctx, s) =>
    createSavedSearch(ctx, { name: s.unique(), query: 'is:unresolved', sort: 'date', isShared: false }),
  ),
  deleteSavedSearch: works('viewer', async (ctx, s) => deleteSavedSearch(ctx, await s.newSearch(ctx.userId))),
  // Sharing one is for members.
  updateSavedSearch: works('viewer', async (ctx, s) =>
    updateSavedSearch(ctx, await s.newSearch(ctx.userId), { query: 'is:resolved' }),
  ),
  createSavedQuery: works('viewer', (ctx, s) => createSavedQuery(ctx, { ...SAVED_QUERY, name: s.unique() })),
  deleteSavedQuery: works('viewer', async (ctx, s) => deleteSavedQuery(ctx, await s.newQuery(ctx.userId))),
  updateSavedQuery: works('viewer', async (ctx, s) =>
    updateSavedQuery(ctx, await s.newQuery(ctx.userId), { query: 'span.op:db' }),
  ),
  starSavedQuery: works('viewer', async (ctx, s) => starSavedQuery(ctx, await s.newQuery(ctx.userId), true)),
  createDashboard: settings('member', 'dashboard.add', (ctx, s) =>
    createDashboard(ctx, { title: s.unique() }),
  ),
  updateDashboard: settings('member', 'dashboard.edit', async (ctx, s) =>
    updateDashboard(ctx, await s.newDashboard(), { description: 'On call' }, null),
  ),
  deleteDashboard: settings('member', 'dashboard.remove', async (ctx, s) =>
    deleteDashboard(ctx, await s.newDashboard()),
  ),
  shareDashboard: settings('member', 'dashboard.share', async (ctx, s) =>
    shareDashboard(ctx, await s.newDashboard({ projects: ['web'] }), { days: 7 }),
  ),
  stopSharingDashboard: settings('member', 'dashboard.unshare', async (ctx, s) => {
    const id = await s.newDashboard({ projects: ['web'] });
    await shareDashboard(s.owner, id, { days: 7 });
    return stopSharingDashboard(ctx, id);
  }),
  starDashboard: works('viewer', async (ctx, s) => starDashboard(ctx, await s.newDashboard(), true)),
  setSharingAllowed: settings('manager', 'org.sharing.edit', (ctx) => setSharingAllowed(ctx, true)),
  shareIssue: settings('member', 'issue.share', (ctx, s) => shareIssue(ctx, s.issue, { days: 7 })),
  stopSharing: settings('member', 'issue.unshare', async (ctx, s) => {
    const issue = await s.newIssue();
    await shareIssue(s.owner, issue, { days: 7 });
    return stopSharing(ctx, issue);
  }),
  createTeam: settings('manager', 'team.create', (ctx, s) =>
    createTeam(ctx, { slug: `t-${s.unique()}`, name: 'Team' }),
  ),
  deleteTeam: settings('manager', 'team.remove', async (ctx, s) => deleteTeam(ctx, (await s.newTeam()).slug)),
  setTeamMember: settings('manager', 'member.join-team', async (ctx, s) =>
    setTeamMember(ctx, { team: (await s.newTeam()).slug, userId: ctx.userId, isMember: true }),
  ),
  setTeamProject: settings('manager', 'project-team.add', async (ctx, s) =>
    setTeamProject(ctx, { team: (await s.newTeam()).slug, projectSlug: 'web', isOwned: true }),
  ),
  updateTeam: settings('manager', 'team.edit', async (ctx, s) =>
    updateTeam(ctx, { team: (await s.newTeam()).slug, change: { name: 'Renamed' } }),
  ),
  approveAuthorization: settings('viewer', 'oauth-grant.create', async (ctx, s) =>
    approveAuthorization(ctx, await s.newAuthorization(), { readsOnly: true }),
  ),
  ...DATA_REQUEST_CHANGES,
  createOrganizationToken: settings('manager', 'org-auth-token.create', (ctx) =>
    createOrganizationToken(ctx, { name: 'Build' }),
  ),
  renameOrganizationToken: settings('manager', 'org-auth-token.edit', async (ctx, s) =>
    renameOrganizationToken(ctx, { tokenId: (await s.newOrganizationToken()).id, name: 'Renamed' }),
  ),
  revokeOrganizationToken: settings('manager', 'org-auth-token.remove', async (ctx, s) =>
    revokeOrganizationToken(ctx, { tokenId: (await s.newOrganizationToken()).id }),
  ),
  revokeAllOrganizationTokens: settings('manager', 'org-auth-token.remove', async (ctx, s) => {
    await s.newOrganizationToken();
    await revokeAllOrganizationTokens(ctx);
  }),
};
