/**
 * Rows as one JSON parameter for json_to_recordset: a statement for any number of rows is the same text, so batches
 * cost the same number of round trips. PostgreSQL's text holds neither U+0000 nor half of a surrogate pair.
 */
export const toStorableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'string' ? toStorableText(field) : field,
  );

export const toStorableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();
