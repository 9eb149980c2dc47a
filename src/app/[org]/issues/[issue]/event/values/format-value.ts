/** What fits a line stands on one. */
const LINE_CHARACTERS_MAX = 64;

/** Any value of an event as text: strings as they are, everything else as JSON, broken into lines only where it is long. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : formatJson(value, '');
}

function formatJson(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, inner)}`);
  if (parts.length === 0) return `${open}${close}`;
  const pad = open === '[' ? '' : ' ';
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`;
  if (line.length + indent.length <= LINE_CHARACTERS_MAX && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
