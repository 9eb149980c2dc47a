import { expect, test } from 'vitest';
import { listActions, namesReachedBy } from './harness/list-actions.ts';

/** Each finds out who asks, and none goes on without: what else is wrong with them, the verbs behind say. */
const ASKS_WHO: ReadonlySet<string> = new Set(['getRequestContext', 'getSession', 'findSession']);

/** Actions that people without a session need, each with what it asks for instead. */
const FOR_EVERYBODY: Readonly<Record<string, string>> = {
  'app/(account)/sign-out.ts signOutAction': 'the cookie of the session that it ends',
  'app/invite/[token]/invitation-actions.ts joinAction': 'the one-time token of the invitation',
  'app/login/actions.ts beginPasskeySignInAction': 'nothing: it makes a challenge',
  'app/login/actions.ts finishPasskeySignInAction': 'the passkey',
  'app/login/actions.ts secondStepAction': 'the cookie of the first step, and the code',
  'app/login/actions.ts signInAction': 'the password',
  'app/reset-password/actions.ts resetPasswordAction': 'the one-time token of the mail',
  'app/reset-password/actions.ts requestResetAction': 'nothing: it mails only the owner',
  'app/setup/set-up-action.ts setUpAction': 'the one-time token of the start',
  'app/unsubscribe/[token]/choice/unsubscribe-actions.ts undoUnsubscribeAction': 'the sealed link of a mail',
  'app/unsubscribe/[token]/choice/unsubscribe-actions.ts unsubscribeAction': 'the sealed link of a mail',
};

const actions = listActions();

test('every server action asks who it is, or is listed as one for everybody', () => {
  expect(actions.length).toBeGreaterThan(40);
  const open = actions
    .filter((action) => [...namesReachedBy(action)].every((name) => !ASKS_WHO.has(name)))
    .map(({ id }) => id);
  expect(open.filter((id) => !(id in FOR_EVERYBODY))).toEqual([]);
  const ids = actions.map(({ id }) => id);
  expect(Object.keys(FOR_EVERYBODY).filter((id) => !ids.includes(id))).toEqual([]);
});
