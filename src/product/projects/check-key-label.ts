import { invalid } from '#lib/errors.ts';

const LABEL_CHARACTERS_MAX = 64;

/** The label without blanks around it. Throws Invalid. */
export function checkKeyLabel(text: string): string {
  const label = text.trim();
  if (label === '' || label.length > LABEL_CHARACTERS_MAX) {
    throw invalid(
      `Give the key a label of 1 to ${LABEL_CHARACTERS_MAX} characters, for example the app that uses it`,
      'label',
    );
  }
  return label;
}
