/** The id of an event or a trace as it is stored, 32 lower-case digits; for what is none, digits that nothing has. */
export function eventHash(text: string): string {
  if (text === '') return '';
  const digits = text.toLowerCase().replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : NO_ID;
}

const NO_ID = '0'.repeat(32);
