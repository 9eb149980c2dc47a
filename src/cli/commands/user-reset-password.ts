import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { withConnection } from '#cli/with-connection.ts';
import { createPasswordReset } from '#product/accounts/password-reset.ts';

export const userResetPassword: CliCommand = {
  name: 'user reset-password',
  positionals: ['<email>'],
  options: {},
  summary: 'Print a one-time address at which the user sets a new password',
  run: (input, deps) =>
    withConnection(deps, async ({ stores, publicUrl, now }) => {
      const [email = ''] = input.positionals;
      const token = await createPasswordReset(stores, email, now());
      deps.io.out(`${publicUrl}/reset-password/${token}`);
      return EXIT.done;
    }),
};
