/** A whole number as people type it, such as `1,000` or `1 000`; null when the field is empty, NaN for anything else. */
export function readCount(form: FormData, name: string): number | null {
  const text = String(form.get(name) ?? '').replace(/[\s,']/g, '');
  if (text === '') return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
