import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { withConnection } from '#cli/with-connection.ts';
import { removeSecondFactor } from '#product/accounts/own-account/second-factor.ts';

export const userResetTwoFactor: CliCommand = {
  name: 'user reset-two-factor',
  positionals: ['<email>'],
  options: {},
  summary: 'Switch two-factor sign-in off for a user who lost the app and the recovery codes',
  run: (input, deps) =>
    withConnection(deps, async (connection) => {
      const [email = ''] = input.positionals;
      const { wasOn } = await removeSecondFactor(connection, email);
      deps.io.out(wasOn ? `Two-factor sign-in is off for ${email}` : `It was off already for ${email}`);
      return EXIT.done;
    }),
};
