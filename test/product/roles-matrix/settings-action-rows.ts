import { type ActionRow, BEFORE, below, form, row, sharedPlace } from './action-row.ts';
import type { ClosedScene } from './closed-scene.ts';
import { newDataRequest } from './data-request-rows.ts';
import { newDestination } from './destination-rows.ts';
import { newTracker } from './tracker-rows.ts';
import { newMapping, newReleaseFile } from './upload-rows.ts';

const PRIVACY = {
  defaultRules: true,
  scrubIpAddresses: false,
  sensitiveFields: [],
  safeFields: [],
  advancedRules: [],
};
const TEXTS = { fingerprint: '', stackTrace: '' };
const project = async (s: ClosedScene) => ({ projectSlug: (await s.newProject()).slug });

/** With the slug of the organization before the other arguments. */
const ofSettings = (file: string, rows: Readonly<Record<string, ActionRow>>): Record<string, ActionRow> =>
  below(
    `app/[org]/settings/${file}`,
    Object.fromEntries(
      Object.entries(rows).map(([name, { args, ...each }]) => [
        name,
        { ...each, args: async (s, asker) => [s.mine.slug, ...(await args(s, asker))] },
      ]),
    ),
  );

/** Server actions of the settings of an organization and its projects, by file and name. */
export const SETTINGS_ACTION_ROWS: Readonly<Record<string, ActionRow>> = {
  ...ofSettings('organization-actions.ts', {
    createTeamAction: row('createTeam', (s) => [null, BEFORE, form({ name: `Team ${s.unique()}` })]),
    deleteTeamAction: row('deleteTeam', async (s) => [(await s.newTeam()).slug]),
    setMemberAction: row('setTeamMember', async (s, { userId }) => [
      { team: (await s.newTeam()).slug, userId, isMember: true },
    ]),
    setProjectAction: row('setTeamProject', async (s) => [
      { team: (await s.newTeam()).slug, projectSlug: 'web', isOwned: true },
    ]),
  }),
  ...ofSettings('organization-actions.ts', {
    requireTwoFactorAction: row('setTwoFactorRequired', () => [false]),
  }),
  ...ofSettings('organization-actions.ts', {
    saveQuotasAction: row('updateOrganizationLimits', () => [null, BEFORE, form()]),
  }),
  ...ofSettings('organization-actions.ts', {
    saveRepositoryAction: row('updateRepository', async (s) => {
      const { id, name } = await s.newRepository();
      return [id, BEFORE, form({ name, provider: 'github' })];
    }),
    deleteRepositoryAction: row('deleteRepository', async (s) => [(await s.newRepository()).id]),
  }),
  ...ofSettings('organization-actions.ts', {
    // The matrix lives in it.
    deleteOrganizationAction: {
      ...row('deleteOrganization', () => ['another slug']),
      answers: /slug/,
    },
    saveOrganizationAction: row('updateOrganization', (s) => [
      null,
      BEFORE,
      form({ name: 'Renamed', slug: s.mine.slug }),
    ]),
  }),
  ...ofSettings('integrations/actions.ts', {
    saveTrackerAction: row('updateTracker', async (s) => [
      { kind: 'github', trackerId: await newTracker(s) },
      BEFORE,
      form({ name: s.unique(), url: 'https://github.com', token: '' }),
    ]),
    pasteHookSecretAction: row('setHookSecret', async (s) => [
      { trackerId: await newTracker(s) },
      BEFORE,
      form({ hookSecret: 'whsec_0123456789abcdef' }),
    ]),
    generateHookSecretAction: row('setHookSecret', async (s) => [
      { trackerId: await newTracker(s) },
      BEFORE,
      form(),
    ]),
    disconnectTrackerAction: row('disconnectTracker', async (s) => [await newTracker(s)]),
  }),
  ...ofSettings('organization-actions.ts', {
    saveRetentionAction: row('updateRetentionDays', () => [null, BEFORE, form()]),
    saveBudgetAction: row('updateProjectBudget', async (s) => [
      null,
      BEFORE,
      form({ project: String((await s.newProject()).id), budget: '2' }),
    ]),
  }),
  ...ofSettings('data-requests/actions.ts', {
    requestDataAction: row('requestData', async (s) => {
      await newDataRequest(s);
      return [null, BEFORE, form({ email: `${s.unique()}@example.com` })];
    }),
    exportDataAction: row('exportData', async (s) => [await newDataRequest(s)]),
    eraseDataAction: row('eraseData', async (s) => [await newDataRequest(s), 'erase']),
    cancelDataRequestAction: row('cancelDataRequest', async (s) => [await newDataRequest(s)]),
  }),
  ...ofSettings('backups/actions.ts', {
    saveBackupScheduleAction: row('updateBackupSchedule', () => [
      null,
      BEFORE,
      form({ folder: '/var/backups/errata', time: '03:00', keep: '7' }),
    ]),
    requestBackupAction: row('requestBackup', async (s) => {
      await s.product.stores.backups.saveSchedule({
        isOn: false,
        folder: '/var/backups/errata',
        minuteOfDay: 180,
        keep: 7,
      });
      await s.product.stores.backups.claim(Date.now());
      return [null];
    }),
  }),
  ...ofSettings('destinations/actions.ts', {
    addDestinationAction: row('addDestination', (s) => [
      { kind: 'slack' },
      BEFORE,
      form({ name: s.unique(), url: 'https://hooks.example.com/services/T/B/x' }),
    ]),
    updateDestinationAction: row('updateDestination', async (s) => [
      { kind: 'slack', destinationId: await newDestination(s) },
      BEFORE,
      form({ name: s.unique() }),
    ]),
    removeDestinationAction: row('removeDestination', async (s) => [await newDestination(s)]),
  }),
  ...ofSettings('members/actions.ts', {
    inviteAction: row('inviteMember', (s) => [
      null,
      BEFORE,
      form({ email: `${s.unique()}@example.com`, role: 'member' }),
    ]),
    resendAction: row('resendInvitation', async (s) => [(await s.newInvitation()).id]),
    revokeAction: row('revokeInvitation', async (s) => [(await s.newInvitation()).id]),
    changeRoleAction: row('changeRole', async (s) => [
      { member: (await s.newMember()).userId, role: 'member' },
    ]),
    removeMemberAction: row('removeMember', async (s) => [(await s.newMember()).userId]),
  }),
  ...ofSettings('privacy/actions.ts', {
    savePrivacyAction: row('updateProjectPrivacy', () => [{ projectSlug: 'web', privacy: PRIVACY }]),
    previewPrivacyAction: row('previewPrivacyRules', (s) => [
      { projectSlug: 'web', privacy: PRIVACY, eventId: s.error.eventId },
    ]),
  }),
  ...ofSettings('organization-actions.ts', {
    createTokenAction: row('createOrganizationToken', () => [
      null,
      BEFORE,
      form({ name: 'Build', days: '90' }),
    ]),
    revokeAllTokensAction: row('revokeAllOrganizationTokens', async (s) => {
      await s.newOrganizationToken();
      return [null];
    }),
    revokeTokenAction: row('revokeOrganizationToken', async (s) => [(await s.newOrganizationToken()).id]),
  }),
  ...ofSettings('organization-actions.ts', {
    allowSharingAction: row('setSharingAllowed', () => [true]),
    stopSharingIssueAction: row('stopSharing', async (s) => [(await sharedPlace(s)).shortId]),
  }),
  ...ofSettings('projects/[project]/project-actions.ts', {
    saveProjectLimitsAction: row('updateProjectLimits', async (s) => [await project(s), BEFORE, form()]),
    saveSpikeAction: row('updateSpikeProtection', async (s) => [
      await project(s),
      BEFORE,
      form({ isEnabled: 'on', bodiesPerHour: '1000' }),
    ]),
  }),
  ...ofSettings('projects/[project]/project-actions.ts', {
    saveProjectAction: row('updateProject', async (s) => {
      const { projectSlug } = await project(s);
      return [{ projectSlug }, BEFORE, form({ name: 'Renamed', slug: projectSlug, platform: '' })];
    }),
    deleteProjectAction: row('deleteProject', async (s) => {
      const { projectSlug } = await project(s);
      return [projectSlug, projectSlug];
    }),
  }),
  ...ofSettings('projects/[project]/performance-issues/actions.ts', {
    saveDetectionAction: row('updateDetectionSettings', async (s) => [
      await project(s),
      BEFORE,
      form({ isEnabled: 'on' }),
    ]),
  }),
  ...ofSettings('projects/[project]/feedback/actions.ts', {
    saveFeedbackFormAction: row('updateFeedbackForm', async (s) => [
      await project(s),
      BEFORE,
      form({ isEnabled: 'on' }),
    ]),
  }),
  ...ofSettings('projects/[project]/filters/actions.ts', {
    saveFiltersAction: row('updateInboundFilters', async (s) => [await project(s), BEFORE, form()]),
  }),
  ...ofSettings('projects/[project]/project-actions.ts', {
    saveOwnershipAction: row('updateOwnership', async (s) => [
      { ...(await project(s)), version: 0 },
      BEFORE,
      form(),
    ]),
  }),
  ...ofSettings('projects/[project]/project-actions.ts', {
    restoreAction: row('restoreDiscardedIssue', async (s) => [
      { projectSlug: 'web', discardedId: await s.newDiscarded() },
    ]),
  }),
  ...ofSettings('projects/[project]/project-actions.ts', {
    saveMappingAction: row('saveCodeMapping', async (s) => [
      { projectSlug: 'web', mappingId: null },
      BEFORE,
      form({
        repositoryId: String((await s.newRepository()).id),
        stackRoot: `${s.unique()}/`,
        sourceRoot: '',
        defaultBranch: 'main',
      }),
    ]),
    deleteCodeMappingAction: row('deleteCodeMapping', async (s) => [await s.newCodeMapping()]),
  }),
  ...ofSettings('projects/[project]/grouping/actions.ts', {
    previewRulesAction: row('previewGroupingRules', () => [{ projectSlug: 'web', texts: TEXTS, days: 1 }]),
    applyRulesAction: row('applyGroupingRules', async (s) => [
      {
        ...(await project(s)),
        texts: { ...TEXTS, fingerprint: 'error.type:A -> a' },
        to: 'new',
        basedOn: 0,
        restore: null,
      },
    ]),
    cancelRegroupAction: row('cancelRegroup', async (s) => [await s.newRegroup()]),
  }),
  ...ofSettings('projects/[project]/project-actions.ts', {
    createKeyAction: row('createProjectKey', async (s) => [
      await project(s),
      BEFORE,
      form({ label: 'Mobile' }),
    ]),
    saveKeyRateLimitAction: row('updateProjectKey', async (s) => {
      const { projectSlug, keyId } = await s.newKey();
      return [{ projectSlug, key: keyId }, BEFORE, form({ count: '', window: '60' })];
    }),
    setKeyActiveAction: row('setProjectKeyActive', async (s) => {
      const { projectSlug, keyId } = await s.newKey();
      return [{ projectSlug, keyId, isActive: false }];
    }),
  }),
  ...ofSettings('projects/[project]/project-actions.ts', {
    deleteUploadAction: row('deleteBundle', async (s) => [
      { bundleId: Number((await newReleaseFile(s)).bundle) },
    ]),
    deleteMappingAction: row('deleteDeobfuscationFile', async (s) => [
      { projectSlug: 'web', fileId: (await newMapping(s)).id },
    ]),
  }),
};
