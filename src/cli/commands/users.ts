import { removeSecondFactor } from '#product/accounts/own-account/set-up-second-factor.ts';
import { createPasswordReset } from '#product/accounts/password-reset.ts';
import { type CliCommand, EXIT } from '../cli-command.ts';
import { withConnection } from '../with-connection.ts';

export const userResetPassword: CliCommand = {
  name: 'user reset-password',
  positionals: ['<email>'],
  options: {},
  summary: 'Print a one-time link for the user to set a new password',
  run: (input, deps) =>
    withConnection(deps, async ({ stores, publicUrl, now }) => {
      const [email = ''] = input.positionals;
      const token = await createPasswordReset(stores, email, now());
      deps.io.out(`${publicUrl}/reset-password/${token}`);
      return EXIT.done;
    }),
};

export const userResetTwoFactor: CliCommand = {
  name: 'user reset-two-factor',
  positionals: ['<email>'],
  options: {},
  summary: 'Turn off two-factor authentication for a user who lost the app and the recovery codes',
  run: (input, deps) =>
    withConnection(deps, async (connection) => {
      const [email = ''] = input.positionals;
      const { wasOn } = await removeSecondFactor(connection, email);
      deps.io.out(
        wasOn ? `Two-factor authentication is off for ${email}` : `It was already off for ${email}`,
      );
      return EXIT.done;
    }),
};
