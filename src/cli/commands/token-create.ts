import { type CliCommand, EXIT, UsageError } from '#cli/cli-command.ts';
import { withOrganization } from '#cli/with-connection.ts';
import { checkScopes, createToken } from '#product/accounts/own-account/own-tokens.ts';
import {
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
  type TokenDays,
  tokenExpiry,
} from '#product/tokens/organization-tokens.ts';
import { JSON_OPTION, ORG_OPTION } from '../cli-command.ts';

const NO_EXPIRY = 'never';

export const tokenCreate: CliCommand = {
  name: 'token create',
  positionals: [],
  options: {
    scopes: {
      type: 'string',
      placeholder: '<scope,…>',
      isRequired: true,
      meaning: 'What it can do, for example event:read,project:read,org:read',
    },
    name: { type: 'string', placeholder: '<name>', meaning: 'What it is for; defaults to "Command line"' },
    'expires-days': {
      type: 'string',
      placeholder: '<days>',
      meaning: `Days until it expires, or "${NO_EXPIRY}"; defaults to ${TOKEN_DAYS_DEFAULT}`,
    },
    org: ORG_OPTION,
    json: JSON_OPTION,
  },
  summary: 'Create an API token and print it once, and nothing else',
  async run(input, deps) {
    const scopes = readScopes(input.option('scopes'));
    const expiresDays = readDays(input.option('expires-days'));
    return withOrganization(input, deps, async (ctx) => {
      const { token, record } = await createToken(ctx, {
        name: input.option('name') ?? 'Command line',
        scopes,
        expiresAt: tokenExpiry(expiresDays, ctx.now()),
      });
      const expiresAt = record.expiresAt === null ? null : new Date(record.expiresAt).toISOString();
      const { id, name } = record;
      deps.io.out(
        input.isSet('json') ? JSON.stringify({ id, name, scopes: record.scopes, expiresAt, token }) : token,
      );
      return EXIT.done;
    });
  },
};

function readScopes(text: string | undefined): readonly string[] {
  if (text === undefined) throw new UsageError('--scopes is missing, for example --scopes event:read');
  const names = text.split(',').map((name) => name.trim());
  return checkScopes(names.filter((name) => name !== ''));
}

function readDays(text: string | undefined): TokenDays {
  if (text === undefined) return TOKEN_DAYS_DEFAULT;
  if (text === NO_EXPIRY) return null;
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > TOKEN_DAYS_MAX) {
    throw new UsageError(
      `--expires-days must be a whole number from 1 to ${TOKEN_DAYS_MAX}, or ${NO_EXPIRY}`,
    );
  }
  return Number(text);
}
