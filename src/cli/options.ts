import type { CliOption } from './cli-command.ts';

export const ORG_OPTION: CliOption = {
  type: 'string',
  placeholder: '<slug>',
  meaning: 'The organization, where there is more than one',
};

export const JSON_OPTION: CliOption = { type: 'boolean', meaning: 'Print JSON' };
