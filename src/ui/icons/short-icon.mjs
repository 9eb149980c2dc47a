/** What Lucide makes of an icon's data, without the eight attributes that the style sheet gives all of them. */
const SOURCE = `
export default function buildIcon(icon, { className, hasA11yProp, attributes }) {
  const svg = { viewBox: '0 0 24 24', className: className ? 'lucide ' + className : 'lucide' };
  if (!hasA11yProp) svg['aria-hidden'] = true;
  return ['svg', { ...svg, ...attributes }, icon.node];
}
`;

/** A loader for the bundler: stands in for Lucide's own module. The pages hold up to a hundred icons. */
export default () => SOURCE;
