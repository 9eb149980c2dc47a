import { DESTINATION_KINDS_FIELDS, type DestinationKind } from '#product/destinations/destination-kinds.ts';
import type { Destination } from '#product/destinations/destination-store.ts';

type DestinationFields = Readonly<
  Record<
    string,
    {
      kind: 'text' | 'secret';
      label: string;
      help: string;
      placeholder: string;
      max: number;
      isOptional?: boolean;
    }
  >
>;

const VALUE_CHARACTERS_MAX = 4_000;

/** The fields of a kind of destination; `known` when there is one already. */
export const destinationFields = ({
  kind,
  known = null,
}: {
  kind: DestinationKind;
  known?: Destination | null;
}): DestinationFields => ({
  name: { kind: 'text', label: 'Name', help: 'Shown in alert rules.', placeholder: 'Team chat', max: 80 },
  ...Object.fromEntries(
    DESTINATION_KINDS_FIELDS[kind].fields.map(({ key, label, hint, placeholder, isSecret, isRequired }) => [
      key,
      {
        kind: isSecret ? 'secret' : 'text',
        label: isRequired || isSecret ? label : `${label} (optional)`,
        help: isSecret && known ? 'Hidden. Leave empty to keep it.' : hint,
        placeholder,
        max: VALUE_CHARACTERS_MAX,
        isOptional: !isRequired || (isSecret && known !== null),
      },
    ]),
  ),
});

/** What is stored in them: what is secret is not part of it, nor what is usual. */
export const destinationValues = ({ kind, name, config }: Destination): Readonly<Record<string, string>> => ({
  name,
  ...Object.fromEntries(
    DESTINATION_KINDS_FIELDS[kind].fields
      .filter(({ key, isSecret, standard }) => !isSecret && config[key] !== standard)
      .map(({ key }) => [key, config[key] ?? '']),
  ),
});
