import { DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import type { Destination, DestinationKind } from '#storage/ports/destinations.ts';

/** A field as a form shows it: what is secret is not part of it. */
export type FormField = {
  key: string;
  label: string;
  hint: string;
  placeholder: string;
  isSecret: boolean;
  isRequired: boolean;
  value: string;
};

/** The fields of a kind, with what a destination has in them. */
export const formFields = (kind: DestinationKind, known: Destination | null): readonly FormField[] =>
  DESTINATION_KINDS_FIELDS[kind].fields.map(
    ({ key, label, hint, placeholder, isSecret, isRequired, standard }) => {
      const kept = known?.config[key] ?? '';
      return {
        key,
        label,
        hint: isSecret && known ? 'Hidden. Empty: it stays as it is.' : hint,
        placeholder,
        isSecret,
        isRequired: isRequired && !(isSecret && known),
        // What is usual need not be written.
        value: isSecret || kept === standard ? '' : kept,
      };
    },
  );
