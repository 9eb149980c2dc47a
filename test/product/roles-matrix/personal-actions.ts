/**
 * Server actions that are of no organization, or only of whoever asks, each with what it acts on. test/server-actions.test.ts
 * holds that each asks who it is, or what it asks for instead.
 */
export const PERSONAL_ACTIONS: Readonly<Record<string, string>> = {
  'app/(account)/sign-out.ts signOutAction': 'the session',
  'app/[org]/settings/members/actions.ts leaveAction': 'the own membership; the verb is tried by itself',
  'app/account/(pages)/actions.ts setNotificationAction':
    'the own mail; open-membership.test.ts tries it with a hidden project',
  'app/account/(pages)/passkeys/passkey-actions.ts beginPasskeyAction': 'the own passkeys',
  'app/account/(pages)/passkeys/passkey-actions.ts finishPasskeyAction': 'the own passkeys',
  'app/account/(pages)/passkeys/passkey-actions.ts removePasskeyAction': 'the own passkeys',
  'app/account/(pages)/passkeys/passkey-actions.ts renamePasskeyAction': 'the own passkeys',
  'app/account/(pages)/actions.ts changeEmailAction': 'the own account',
  'app/account/(pages)/actions.ts renameAction': 'the own account',
  'app/account/(pages)/security/security-actions.ts beginTwoFactorAction': 'the own second factor',
  'app/account/(pages)/security/security-actions.ts changePasswordAction': 'the own password',
  'app/account/(pages)/security/security-actions.ts confirmTwoFactorAction': 'the own second factor',
  'app/account/(pages)/security/security-actions.ts connectAction': 'the own identity',
  'app/account/(pages)/security/security-actions.ts disableTwoFactorAction': 'the own second factor',
  'app/account/(pages)/security/security-actions.ts disconnectAction': 'the own identity',
  'app/account/(pages)/security/security-actions.ts renewCodesAction': 'the own second factor',
  'app/account/(pages)/actions.ts endOtherSessionsAction': 'the own sessions',
  'app/account/(pages)/actions.ts endSessionAction': 'the own sessions',
  'app/account/(pages)/tokens/token-actions.ts createTokenAction': 'the own tokens',
  'app/account/(pages)/tokens/token-actions.ts disconnectProgramAction': 'the own connected apps',
  'app/account/(pages)/tokens/token-actions.ts revokeAllTokensAction': 'the own tokens',
  'app/account/(pages)/tokens/token-actions.ts revokeTokenAction': 'the own tokens',
  'app/account/confirm-email/[token]/confirm-email-action.ts confirmEmailAction': 'the own account',
  'app/account/connect/connect-action.ts connectAction': 'the own connected apps',
  'app/invite/[token]/invitation-actions.ts acceptAction': 'the invitation of the token',
  'app/invite/[token]/invitation-actions.ts joinAction': 'the invitation of the token',
  'app/login/actions.ts beginPasskeySignInAction': 'a new session',
  'app/login/actions.ts finishPasskeySignInAction': 'a new session',
  'app/login/actions.ts secondStepAction': 'a new session',
  'app/login/actions.ts signInAction': 'a new session',
  'app/organizations/new/create-organization-action.ts createOrganizationAction':
    'a new organization; the verb is tried by itself',
  'app/reset-password/actions.ts resetPasswordAction': 'the account of the token',
  'app/reset-password/actions.ts requestResetAction': 'a mail to the owner of an account',
  'app/setup/set-up-action.ts setUpAction': 'an instance without an owner',
  'app/unsubscribe/[token]/choice/unsubscribe-actions.ts undoUnsubscribeAction': 'the mail of the link',
  'app/unsubscribe/[token]/choice/unsubscribe-actions.ts unsubscribeAction': 'the mail of the link',
};
