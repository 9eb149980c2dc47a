import { randomBytes } from 'node:crypto';
import { invalid, messageOf } from '#lib/errors.ts';
import {
  DESTINATION_KINDS_FIELDS,
  type DestinationField,
  type DestinationKind,
} from './destination-kinds.ts';
import type { Destination, DestinationSecret } from './destination-store.ts';

const NAME_CHARACTERS_MAX = 80;
const VALUE_CHARACTERS_MAX = 4_000;
const SIGNING_SECRET_BYTES = 32;

export type DestinationFields = Readonly<Record<string, string>>;

export type CheckedDestination = {
  config: Destination['config'];
  secret: DestinationSecret;
  /** What was made because none was given; shown once. */
  generatedSecret: string | null;
};

/** Throws Invalid. */
export function checkDestinationName(name: string): string {
  const trimmed = name.replace(/\s+/g, ' ').trim();
  if (trimmed === '') throw invalid('Enter a destination name, such as “Team chat”', 'name');
  if (trimmed.length > NAME_CHARACTERS_MAX) {
    throw invalid(`The name is longer than ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  return trimmed;
}

/**
 * What the fields of a kind say. A secret field that is absent or empty stays what `known` has; null when there is
 * nothing known. Throws Invalid, which names the field.
 */
export function checkDestination(
  kind: DestinationKind,
  fields: DestinationFields,
  known: { config: Destination['config']; secret: DestinationSecret } | null,
): CheckedDestination {
  const info = DESTINATION_KINDS_FIELDS[kind];
  const unknown = Object.keys(fields).find((key) => !info.fields.some((field) => field.key === key));
  if (unknown !== undefined) {
    const keys = info.fields.map(({ key }) => key).join(', ');
    throw invalid(`${info.name} has no field “${unknown.slice(0, 40)}”: its fields are ${keys}`, unknown);
  }
  const config: Record<string, string> = {};
  const secret: Record<string, string> = {};
  for (const field of info.fields) {
    const value = readField(field, fields[field.key], known);
    if (value !== '') (field.isSecret ? secret : config)[field.key] = value;
  }
  if (secret.url !== undefined) config.host = new URL(secret.url).host;
  refuseToMoveSecrets(info.fields, fields, config, known);
  const generatedSecret =
    kind === 'webhook' && secret.signingSecret === undefined ? makeSigningSecret() : null;
  return {
    config,
    secret: generatedSecret === null ? secret : { ...secret, signingSecret: generatedSecret },
    generatedSecret,
  };
}

function readField(
  field: DestinationField,
  given: string | undefined,
  known: { secret: DestinationSecret } | null,
): string {
  const value = given?.trim() ?? '';
  if (value.length > VALUE_CHARACTERS_MAX) throw invalid(`${field.label} is too long`, field.key);
  if (value !== '') return check(field, value);
  const kept = field.isSecret ? (known?.secret[field.key] ?? '') : (field.standard ?? '');
  if (kept === '' && field.isRequired) throw invalid(`${field.label} is required: ${field.hint}`, field.key);
  return kept;
}

function check(field: DestinationField, value: string): string {
  try {
    return field.check(value);
  } catch (error) {
    throw invalid(messageOf(error), field.key);
  }
}

/** Whoever changes the server could make it receive what is hidden. */
function refuseToMoveSecrets(
  all: readonly DestinationField[],
  given: DestinationFields,
  config: Destination['config'],
  known: { config: Destination['config']; secret: DestinationSecret } | null,
): void {
  if (!known || config.server === known.config.server) return;
  const kept = all.find(
    ({ key, isSecret }) => isSecret && known.secret[key] !== undefined && !given[key]?.trim(),
  );
  if (kept)
    throw invalid(
      `${kept.label} must be entered again because it would be sent to a different server`,
      kept.key,
    );
}

const makeSigningSecret = (): string => randomBytes(SIGNING_SECRET_BYTES).toString('base64url');
