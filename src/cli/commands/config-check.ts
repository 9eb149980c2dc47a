import { type CliCommand, EXIT } from '#cli/cli-command.ts';

export const configCheck: CliCommand = {
  name: 'config check',
  positionals: [],
  options: {},
  summary: 'Check the settings of the environment and of .env without starting anything',
  async run(_input, { io, checkConfig }) {
    const { ok, lines } = checkConfig();
    for (const line of lines) (ok ? io.out : io.err)(line);
    return ok ? EXIT.done : EXIT.failed;
  },
};
