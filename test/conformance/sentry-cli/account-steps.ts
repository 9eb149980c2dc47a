import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ORGANIZATION } from './cli-scene.ts';
import { BOTH, type CliStep } from './cli-step.ts';
import { expectThat } from './expect-exit.ts';

/** Who somebody is, and what they see. */
export const ACCOUNT_STEPS: readonly CliStep[] = [
  {
    command: 'info (token of the organization)',
    of: BOTH,
    args: () => ['info'],
    async effect({ url }, { stdout }) {
      expectThat(stdout.includes(url) && stdout.includes('org:ci'), 'the address and the scope');
      return 'prints the address from the token, and org:ci';
    },
  },
  {
    command: 'info (personal token)',
    of: BOTH,
    args: () => ['info'],
    options: () => ({ as: 'person' }),
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('owner@example.com'), 'the address of the person');
      return 'prints who it is, and the scopes';
    },
  },
  {
    command: 'login --auth-token <token of the organization>',
    of: BOTH,
    // Without the token on its line it asks for a browser, which nobody has here.
    args: ({ buildToken }) => ['login', '--auth-token', buildToken],
    async effect({ folder }) {
      const stored = readFileSync(path.join(folder, '.sentryclirc'), 'utf8');
      expectThat(stored.includes('sntrys_'), 'the token in the configuration');
      return 'the token was checked and is kept in .sentryclirc';
    },
  },
  {
    command: 'organizations list',
    of: BOTH,
    args: () => ['organizations', 'list'],
    options: () => ({ as: 'person' }),
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes(ORGANIZATION), 'the organization');
      return 'prints the organization';
    },
  },
  {
    command: 'projects list',
    of: BOTH,
    args: () => ['projects', 'list'],
    async effect({ slug }, { stdout }) {
      expectThat(stdout.includes(slug), 'the project');
      return 'prints the projects';
    },
  },
];
