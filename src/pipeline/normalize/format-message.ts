type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/** `%%`, `%s`, `%5.2f`, `%(name)s`, `{{`, `}}`, `{}`, `{0}`, `{name}`, `{0:x}`. */
const PLACEHOLDER =
  /%%|%(?:\((?<percentName>[^()]{1,100})\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[sdifeEgGrxXouc]|\{\{|\}\}|\{(?<braceName>[\w.]{0,100})(?:[:!][^{}]{0,50})?\}/g;

/**
 * Fills a log template's placeholders with its parameters, in the styles of printf, Python and .NET, as text only:
 * widths and precisions are ignored. A placeholder without a parameter stays as it is.
 */
export function formatMessage(template: string, params: Params, charsMax: number): string {
  const usesPercent = /%(?:\([^()]{1,100}\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[sdifeEgGrxXouc]/.test(
    template,
  );
  let position = 0;
  const formatted = template.replace(PLACEHOLDER, (placeholder: string, ...rest: unknown[]) => {
    const isPercent = placeholder.startsWith('%');
    if (isPercent !== usesPercent) return placeholder;
    if (placeholder === '%%') return '%';
    if (placeholder === '{{' || placeholder === '}}') return placeholder[0] as string;
    const groups = rest.at(-1) as { percentName?: string; braceName?: string };
    const name = isPercent ? groups.percentName : groups.braceName;
    const found = lookUp(params, name === undefined || name === '' ? position++ : name);
    return found.known ? textOfParam(found.value) : placeholder;
  });
  return formatted.length > charsMax ? `${formatted.slice(0, charsMax - 1).toWellFormed()}…` : formatted;
}

function lookUp(params: Params, key: string | number): { known: boolean; value: unknown } {
  if (!Array.isArray(params)) {
    // Python's logging takes one mapping for named placeholders, and its keys in order serve numbered ones.
    const named = params as Readonly<Record<string, unknown>>;
    const name = typeof key === 'number' ? Object.keys(named)[key] : key;
    const known = name !== undefined && Object.hasOwn(named, name);
    return { known, value: known ? named[name] : undefined };
  }
  const index = typeof key === 'number' ? key : /^\d{1,3}$/.test(key) ? Number(key) : -1;
  return { known: index >= 0 && index < params.length, value: params[index] };
}

function textOfParam(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
