/**
 * Everything that leaves an entry, in Sentry's names where Sentry has one, with what its actor did to its target.
 * Source of the names: https://docs.sentry.io/organization/membership/#audit-log
 */
export const AUDIT_ACTIONS = {
  'member.invite': 'invited',
  'member.reinvite': 'invited again',
  'member.accept-invite': 'accepted the invitation of',
  'member.add': 'joined by single sign-on as',
  'member.edit': 'changed the role of',
  'member.remove': 'removed',
  'member.leave': 'left the organization as',
  'member.join-team': 'took somebody into the team',
  'member.leave-team': 'took somebody out of the team',
  'invite.remove': 'revoked the invitation of',
  'org.edit': 'changed the settings of',
  'org.quotas.edit': 'changed the quotas of',
  'org.privacy.edit': 'changed the privacy settings of',
  'org.sharing.edit': 'changed whether issues may be shared in',
  'org.retention.edit': 'changed how long data is kept in',
  'org.auth.edit': 'changed how members sign in to',
  'team.create': 'created the team',
  'team.edit': 'changed the team',
  'team.remove': 'deleted the team',
  'project.create': 'created the project',
  'project.edit': 'changed the project',
  'project.remove': 'deleted the project',
  'project.filters.edit': 'changed the inbound filters of',
  'project.privacy.edit': 'changed the privacy settings of',
  'project.quotas.edit': 'changed the rate limits of',
  'project.spike-protection.edit': 'changed the spike protection of',
  'project.ownership-rule.edit': 'changed who owns what in',
  'project.grouping.edit': 'changed the grouping rules of',
  'project.grouping.cancel': 'gave up a regroup of',
  'project.grouping.undo': 'took back a regroup of',
  'project-team.add': 'gave a project to the team',
  'project-team.remove': 'took a project from the team',
  'projectkey.create': 'created the client key',
  'projectkey.edit': 'changed the client key',
  'projectkey.enable': 'enabled the client key',
  'projectkey.disable': 'disabled the client key',
  'api-key.create': 'created the personal token',
  'api-key.remove': 'revoked the personal token',
  'org-auth-token.create': 'created the organization token',
  'org-auth-token.edit': 'renamed the organization token',
  'org-auth-token.remove': 'revoked the organization token',
  'issue.delete': 'deleted',
  'issue.restore': 'lets events of a discarded issue in again:',
  'issue.share': 'shared publicly',
  'issue.unshare': 'stopped sharing',
  'user.password-reset': 'set a new password by a mailed or printed address:',
  'user.password-change': 'changed the password of',
  'user.email-change': 'changed the e-mail address of',
  'user.2fa-enable': 'switched two-factor sign-in on for',
  'user.2fa-disable': 'switched two-factor sign-in off for',
  'user.passkey-add': 'added a passkey for',
  'user.2fa-recovery-codes': 'renewed the recovery codes of',
  'user.passkey-remove': 'removed a passkey of',
  'sso-identity.link': 'connected single sign-on to',
  'sso-identity.unlink': 'disconnected single sign-on from',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const isAuditAction = (text: string): text is AuditAction => Object.hasOwn(AUDIT_ACTIONS, text);

/** What was done, in words; the bare name for an action of another version. */
export const auditWords = (action: string): string =>
  isAuditAction(action) ? AUDIT_ACTIONS[action] : action;
