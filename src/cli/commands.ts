import type { CliCommand } from './cli-command.ts';
import { explainCommand, parameterizeCommand } from './commands/explain.ts';
import { organizationsCreate, organizationsList } from './commands/organizations.ts';
import { dsn, projectCreate } from './commands/projects.ts';
import { quarantineList, quarantineReplay, quarantineShow } from './commands/quarantine.ts';
import { sendTestEvent } from './commands/send-test-event.ts';
import { configCheck, status } from './commands/status.ts';
import { tokenCreate } from './commands/token-create.ts';
import { userResetPassword, userResetTwoFactor } from './commands/users.ts';

/** In the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  organizationsCreate,
  organizationsList,
  projectCreate,
  dsn,
  tokenCreate,
  userResetPassword,
  userResetTwoFactor,
  sendTestEvent,
  status,
  quarantineList,
  quarantineShow,
  quarantineReplay,
  explainCommand,
  parameterizeCommand,
  configCheck,
];
