import type { CliCommand } from './cli-command.ts';
import { configCheck } from './commands/config-check.ts';
import { dsn } from './commands/dsn.ts';
import { explainCommand } from './commands/explain.ts';
import { organizationsCreate, organizationsList } from './commands/organizations.ts';
import { parameterizeCommand } from './commands/parameterize.ts';
import { projectCreate } from './commands/project-create.ts';
import { quarantineList, quarantineReplay, quarantineShow } from './commands/quarantine.ts';
import { sendTestEvent } from './commands/send-test-event.ts';
import { status } from './commands/status.ts';
import { tokenCreate } from './commands/token-create.ts';
import { userResetPassword } from './commands/user-reset-password.ts';
import { userResetTwoFactor } from './commands/user-reset-two-factor.ts';

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
